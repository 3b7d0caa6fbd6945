import type { FieldSettings } from '@/api/types';

import { listToSend } from './categories';
import type { TemplateDraft } from './templateDraft';
import {
  SETTING_NAMES,
  setOverride,
  effectiveSettings,
  type SettingName,
  type OverridesByField,
} from './fieldSettings';

/** The state of a template on one side of a conflict. */
export interface ConflictSide {
  draft: TemplateDraft;
  /** The overrides of field settings, and the detected settings. */
  overrides: OverridesByField;
  detected: readonly FieldSettings[];
}

export type ChosenSide = 'mine' | 'theirs';

/** A setting that differs between this edit and the newest state of the template. */
export type Difference = {
  id: string;
  /** The side that has changed it since this edit began: theirs, unless this edit has changed it too. */
  proposed: ChosenSide;
} & (
  | { kind: 'setting'; templateSetting: keyof TemplateDraft; mine: string | null; theirs: string | null }
  | { kind: 'field'; field: string; settingName: SettingName; mine: unknown; theirs: unknown }
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

function settingsOfField({ detected, overrides }: ConflictSide, field: string): FieldSettings | null {
  const settings = detected.find((one) => one.field === field);
  return settings ? effectiveSettings(settings, overrides) : null;
}

/** Returns a field's setting as a comparable value; an empty one equals a missing one. */
function comparableSetting(settings: FieldSettings | null, setting: SettingName): string {
  const value = settings?.[setting];
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? ''
    : JSON.stringify(value, Object.keys(Object(value) as object).sort());
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
  const fields = mine.detected.flatMap(({ field }) => {
    const [ownSettings, theirSettings, baseSettings] = [mine, theirs, base].map((side) =>
      settingsOfField(side, field),
    );
    // A field that only one side has depends on the choice of the file.
    if (!ownSettings || !theirSettings) return [];
    return SETTING_NAMES.filter(
      (part) => comparableSetting(ownSettings, part) !== comparableSetting(theirSettings, part),
    ).map((part): Difference => ({
      id: `${part} ${field}`,
      kind: 'field',
      field,
      settingName: part,
      proposed:
        comparableSetting(ownSettings, part) === comparableSetting(baseSettings ?? null, part)
          ? 'theirs'
          : 'mine',
      mine: ownSettings[part],
      theirs: theirSettings[part],
    }));
  });
  return [...settings, ...fields];
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
    else overrides = takeTheirSetting(overrides, mine, theirs, difference);
  }
  return { draft, overrides };
}

function takeTheirSetting(
  overrides: OverridesByField,
  mine: ConflictSide,
  theirs: ConflictSide,
  { field, settingName }: { field: string; settingName: SettingName },
): OverridesByField {
  const override = Object.hasOwn(theirs.overrides, field)
    ? theirs.overrides[field]?.[settingName]
    : undefined;
  if (override !== undefined) return setOverride(overrides, field, settingName, override);
  const [ownDetected, theirDetected] = [mine, theirs].map(({ detected }) =>
    detected.find((settings) => settings.field === field),
  );
  // A value that both sides detect needs no override. A value that only the other side detects becomes one.
  const isSame =
    comparableSetting(ownDetected ?? null, settingName) ===
    comparableSetting(theirDetected ?? null, settingName);
  return setOverride(
    overrides,
    field,
    settingName,
    isSame ? undefined : (theirDetected?.[settingName] ?? undefined),
  );
}
