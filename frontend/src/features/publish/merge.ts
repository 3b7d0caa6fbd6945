import type { FieldSettings, SettingName } from '@/shared/fields/fieldSettings';

import { listToSend } from './categories';
import type { TemplateDraft } from './templateDraft';
import {
  SETTING_NAMES,
  setColumnOverrides,
  setOverride,
  effectiveSettings,
  overridesOf,
  type OverridesByField,
} from './fieldSettings';

/** The state of a template on one side of a conflict. */
export interface ConflictSide {
  draft: TemplateDraft;
  /** The overrides of field settings, and the detected settings. */
  overrides: OverridesByField;
  detected: readonly FieldSettings[];
}

/** The name of a field, or of a column after the names of its lists. */
export type FieldPath = readonly [string, ...string[]];

export type ChosenSide = 'mine' | 'theirs';

/** A setting that differs between this edit and the newest state of the template. */
export type Difference = {
  id: string;
  /** The side that has changed it since this edit began: theirs, unless this edit has changed it too. */
  proposed: ChosenSide;
} & (
  | { kind: 'setting'; templateSetting: keyof TemplateDraft; mine: string | null; theirs: string | null }
  | { kind: 'field'; path: FieldPath; settingName: SettingName; mine: unknown; theirs: unknown }
);

const TEMPLATE_SETTINGS = [
  'title',
  'categories',
  'keywords',
  'language',
  'country',
] as const satisfies readonly (keyof TemplateDraft)[];

/** Returns a setting without differences that the server ignores, such as a comma at the end of a list. */
function normalizedSetting(draft: TemplateDraft, setting: keyof TemplateDraft): string {
  const value = draft[setting] ?? '';
  return setting === 'categories' || setting === 'keywords' ? listToSend(value) : value.trim();
}

/** Returns the effective settings of a side's fields. */
function effectiveFields({ detected, overrides }: ConflictSide): FieldSettings[] {
  return detected.map((one) => effectiveSettings(one, overrides));
}

/** Returns a value as text, without regard to the order of properties. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner)}`).join()}}`;
}

/** Returns a field's setting as a comparable value; an empty one equals a missing one. */
function comparableSetting(settings: FieldSettings | null | undefined, setting: SettingName): string {
  const value = settings?.[setting];
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? ''
    : canonicalText(value);
}

/** Returns everything that differs between both sides, in the order of the form. `base` is the state before both. */
export function findDifferences(base: ConflictSide, mine: ConflictSide, theirs: ConflictSide): Difference[] {
  const settings = TEMPLATE_SETTINGS.filter(
    (setting) => normalizedSetting(mine.draft, setting) !== normalizedSetting(theirs.draft, setting),
  ).map((setting): Difference => ({
    id: setting,
    kind: 'setting',
    templateSetting: setting,
    proposed:
      normalizedSetting(mine.draft, setting) === normalizedSetting(base.draft, setting) ? 'theirs' : 'mine',
    mine: mine.draft[setting],
    theirs: theirs.draft[setting],
  }));
  const fields = fieldDifferences([], effectiveFields(base), effectiveFields(mine), effectiveFields(theirs));
  return [...settings, ...fields];
}

/** Returns the differences of fields, or of the columns of the list at `lists`, in the order of `mine`. */
function fieldDifferences(
  lists: readonly string[],
  base: readonly FieldSettings[],
  mine: readonly FieldSettings[],
  theirs: readonly FieldSettings[],
): Difference[] {
  return mine.flatMap((ownSettings) => {
    const { field } = ownSettings;
    const [theirSettings, baseSettings] = [theirs, base].map((side) =>
      side.find((settings) => settings.field === field),
    );
    // A field that only one side has depends on the choice of the file.
    if (!theirSettings) return [];
    const path: FieldPath = lists.length > 0 ? [lists[0] ?? '', ...lists.slice(1), field] : [field];
    const own = SETTING_NAMES.filter(
      (part) => comparableSetting(ownSettings, part) !== comparableSetting(theirSettings, part),
    ).map((part): Difference => ({
      id: `${part} ${path.join(' › ')}`,
      kind: 'field',
      path,
      settingName: part,
      proposed:
        comparableSetting(ownSettings, part) === comparableSetting(baseSettings, part) ? 'theirs' : 'mine',
      mine: ownSettings[part],
      theirs: theirSettings[part],
    }));
    const ofColumns = fieldDifferences(
      path,
      baseSettings?.columns ?? [],
      ownSettings.columns ?? [],
      theirSettings.columns ?? [],
    );
    return [...own, ...ofColumns];
  });
}

/** Returns the merged state. Each difference gets the value of the chosen side, or else of the proposed one. */
export function mergeSides(
  mine: ConflictSide,
  theirs: ConflictSide,
  differences: readonly Difference[],
  choices: Readonly<Record<string, ChosenSide>>,
): { draft: TemplateDraft; overrides: OverridesByField } {
  let { draft, overrides } = mine;
  for (const difference of differences) {
    if ((choices[difference.id] ?? difference.proposed) === 'mine') continue;
    if (difference.kind === 'setting') draft = { ...draft, [difference.templateSetting]: difference.theirs };
    else overrides = takeTheirSetting(overrides, mine, theirs, difference.path, difference.settingName);
  }
  return { draft, overrides };
}

function takeTheirSetting(
  overrides: OverridesByField,
  mine: Pick<ConflictSide, 'detected'>,
  theirs: Pick<ConflictSide, 'detected' | 'overrides'>,
  [field, ...columnPath]: FieldPath,
  settingName: SettingName,
): OverridesByField {
  const [ownDetected, theirDetected] = [mine, theirs].map(({ detected }) =>
    detected.find((settings) => settings.field === field),
  );
  const theirOverrides = overridesOf(theirs.overrides, field);
  const [column, ...rest] = columnPath;
  if (column !== undefined) {
    const ofColumns = takeTheirSetting(
      overridesOf(overrides, field).columns ?? {},
      { detected: ownDetected?.columns ?? [] },
      { detected: theirDetected?.columns ?? [], overrides: theirOverrides.columns ?? {} },
      [column, ...rest],
      settingName,
    );
    return setColumnOverrides(overrides, field, ofColumns);
  }
  const override = theirOverrides[settingName];
  if (override !== undefined) return setOverride(overrides, field, settingName, override);
  // A value that both sides detect needs no override. A value that only the other side detects becomes one.
  const isSame =
    comparableSetting(ownDetected, settingName) === comparableSetting(theirDetected, settingName);
  return setOverride(
    overrides,
    field,
    settingName,
    isSame ? undefined : (theirDetected?.[settingName] ?? undefined),
  );
}
