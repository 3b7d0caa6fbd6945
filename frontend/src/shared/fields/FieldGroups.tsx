import { lazy, memo, Suspense, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { formatList } from '@/shared/i18n/format';
import { offeredAnswers, type SavedAnswer } from '@/shared/savedAnswers/answers';
import type { DerivedValue } from '@/shared/pages/messages';
import { useStableCallback } from '@/shared/ui/useStableCallback';

import { FieldDescription, FieldInput, hasDescription } from './FieldInput';
import { structuredField, type FieldKind, type FieldSettings } from './fieldSettings';
import classes from './fields.module.css';
import { useSelection, type FormStore } from './formStore';
import { groupFields } from './groups';
import { PictureField } from './PictureField';
import { QrCodeInput } from './pictures';
import { unprintableCharacters } from './printable';
import { labelsShownBy, NO_SECTIONS, shownFields, type TemplateSections } from './sectionConditions';
import { textProblem } from './textProblem';
import { fieldValue, isList, textsOf, valueOfType, type FieldValue, type FieldValues } from './values';
import { YesNoInput } from './YesNoInput';

// Only templates with lists need the grid and its libraries.
const ListInput = lazy(() =>
  import('./ListInput/ListInput').then((module) => ({ default: module.ListInput })),
);

interface FieldGroupsProps {
  /** The settings of each field, in the template's order. */
  settings: readonly FieldSettings[];
  values: FormStore<FieldValues>;
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  /** The values of derived fields that are known so far, and of derived cells by path. */
  derivedValues: FormStore<Record<string, DerivedValue>>;
  /** The sections that fields lie in. Fields in sections that are not printed are hidden. */
  sections?: TemplateSections;
  /** The saved answers; without them nothing is offered. */
  savedAnswers?: readonly SavedAnswer[] | undefined;
  /** True if missing rows of lists are an error, because the form was submitted. */
  showsMissing?: boolean;
  /** Called when a field gets the focus, with the path of the value if it is in a list. */
  onFieldFocus: (path: string) => void;
  onChange: (field: string, value: FieldValue) => void;
}

/**
 * The inputs of all fields in the template's order, under their headings. Each input subscribes to its own value, so this
 * component is only rendered again when other fields are shown.
 */
export const FieldGroups = memo(function FieldGroups(props: FieldGroupsProps) {
  const { settings, values, lang, country, derivedValues, savedAnswers, showsMissing } = props;
  const { sections = NO_SECTIONS } = props;
  const { i18n } = useTranslation();
  const selectShown = useMemo(() => selectShownFields(settings, sections), [settings, sections]);
  const shown = useSelection(values, selectShown);
  const onFieldFocus = useStableCallback(props.onFieldFocus);
  const onChange = useStableCallback(props.onChange);
  const labelsOf = (field: string, answer: boolean) =>
    formatList(labelsShownBy(settings, sections, field, answer), i18n.language);
  return (
    <div className={classes['form']}>
      <div className={classes['groups']} lang={lang} data-long={shown.length > LONG_FORM || undefined}>
        {groupFields(shown).map(({ group, firstField, settings: ofGroup }) => (
          <Group key={firstField} heading={group}>
            {ofGroup.map((one, index) => (
              <GroupedInput
                key={one.field}
                field={one}
                values={values}
                derivedValues={derivedValues}
                labelSource={one.derivation ? settings : NO_SETTINGS}
                isPaired={isPaired(ofGroup, index)}
                {...{ lang, country, savedAnswers, onFieldFocus, onChange }}
                showsMissing={showsMissing ?? false}
                shows={one.kind === 'yes_no' ? labelsOf(one.field, true) : ''}
                hides={one.kind === 'yes_no' ? labelsOf(one.field, false) : ''}
              />
            ))}
          </Group>
        ))}
      </div>
    </div>
  );
});

/** Returns a function for the fields that the form shows. Its result stays the same object while its fields do. */
function selectShownFields(settings: readonly FieldSettings[], sections: TemplateSections) {
  let last: readonly FieldSettings[] = [];
  return (values: FieldValues) => {
    const shown = shownFields(settings, values, sections);
    if (shown.length !== last.length || shown.some((one, index) => one !== last[index])) last = shown;
    return last;
  };
}

/** The number of fields from which fields outside the window are not laid out. */
const LONG_FORM = 200;

const SHORT_KINDS: readonly FieldKind[] = ['date', 'number', 'choice'];

/** Returns true if two neighbours in the group share a line, because both are short. */
function isPaired(ofGroup: readonly FieldSettings[], index: number): boolean {
  const isShort = (at: number) => {
    const one = ofGroup[at];
    return one !== undefined && !one.derivation && SHORT_KINDS.includes(one.kind);
  };
  if (!isShort(index)) return false;
  let before = 0;
  while (isShort(index - before - 1)) before++;
  return before % 2 === 1 || isShort(index + 1);
}

const NOTHING_DERIVED: Record<string, DerivedValue> = {};
const NO_SETTINGS: FieldSettings[] = [];

/** Returns true if the value of a field, or of a column in it, can be derived. */
function isDerived({ derivation, columns = [] }: FieldSettings): boolean {
  return Boolean(derivation) || columns.some(isDerived);
}

interface GroupedInputProps extends FieldOfTypeProps {
  /** True if the input shares its line with a neighbour. */
  isPaired: boolean;
}

/** The largest number of unprintable characters that are named. */
const MAX_NAMED_CHARACTERS = 12;

/** Names the characters of a value that no font has. */
function UnprintableNote({ value }: { value: FieldValue }) {
  const { t } = useTranslation();
  const characters = new Set(textsOf(value).flatMap(unprintableCharacters));
  if (characters.size === 0) return null;
  const named = [...characters].slice(0, MAX_NAMED_CHARACTERS).join(' ');
  return (
    <p className={classes['unprintable']} role="status">
      {t('documentPages.unprintable', { characters: `\u2068${named}\u2069` })}
    </p>
  );
}

/** The input of a field in its place. */
function GroupedInput({ isPaired: sharesLine, ...props }: GroupedInputProps) {
  return (
    <div className={classes['field']} data-paired={sharesLine || undefined}>
      <FieldOfType {...props} />
    </div>
  );
}

interface FieldOfTypeProps {
  field: FieldSettings;
  values: FormStore<FieldValues>;
  lang: string;
  country: string | null;
  derivedValues: FormStore<Record<string, DerivedValue>>;
  /** The settings that have the labels of the fields that this one is derived from. */
  labelSource: readonly FieldSettings[];
  savedAnswers: readonly SavedAnswer[] | undefined;
  showsMissing: boolean;
  /** For a yes/no field: the labels of the fields that it shows and hides while it is on. */
  shows: string;
  hides: string;
  onFieldFocus: (path: string) => void;
  onChange: (field: string, value: FieldValue) => void;
}

/** The input of a field, by the type of its values. It subscribes to its own value and derived value. */
const FieldOfType = memo(function FieldOfType(props: FieldOfTypeProps) {
  const { field: one, lang, country, labelSource, savedAnswers, showsMissing } = props;
  const { onFieldFocus, onChange } = props;
  const { t } = useTranslation();
  const { field, kind } = one;
  const storedValue = useSelection(props.values, (values) => fieldValue(values, field));
  const value = valueOfType({ [field]: storedValue }, structuredField(one));
  // The cells of a list have derived values by path.
  const isDerivedList = kind === 'list' && isDerived(one);
  const derivedCells = useSelection(props.derivedValues, (derived) =>
    isDerivedList ? derived : NOTHING_DERIVED,
  );
  const derivedValue = useSelection(props.derivedValues, (derived) =>
    Object.hasOwn(derived, field) ? derived[field] : undefined,
  );
  const commonProps = {
    settings: one,
    onFocus: () => onFieldFocus(field),
    onChange: (entered: FieldValue) => onChange(field, entered),
  };
  if (kind === 'picture' || kind === 'signature')
    return <PictureField {...commonProps} value={value} canKeep={savedAnswers !== undefined} />;
  if (isList(value)) {
    return (
      <>
        <Suspense fallback={<p role="status">{t('loading')}</p>}>
          <ListInput
            {...commonProps}
            rows={value}
            path={field}
            lang={lang}
            country={country}
            derivedValues={derivedCells}
            showsMissing={showsMissing}
            onFocus={onFieldFocus}
          />
        </Suspense>
        <UnprintableNote value={value} />
      </>
    );
  }
  if (typeof value === 'boolean')
    return <YesNoInput {...commonProps} shows={props.shows} hides={props.hides} checked={value} />;
  if (typeof value !== 'string') return null;
  const error = textProblem(value, kind, t);
  if (kind === 'qr_code') {
    return (
      <QrCodeInput
        {...commonProps}
        field={field}
        label={one.label || field}
        description={hasDescription(one) ? <FieldDescription settings={one} /> : undefined}
        error={error}
        value={value}
      />
    );
  }
  return (
    <>
      <FieldInput
        {...commonProps}
        value={value}
        lang={lang}
        country={country}
        derivedValue={derivedValue}
        labelOf={(name) => labelSource.find((other) => other.field === name)?.label || name}
        offeredAnswers={savedAnswers ? offeredAnswers(savedAnswers, one, value) : null}
        error={error}
      />
      <UnprintableNote value={value} />
    </>
  );
});

/** The fields of a group under its heading, or without one. */
function Group({ heading, children }: { heading: string; children: ReactNode }) {
  if (!heading) return <>{children}</>;
  return (
    <fieldset className={classes['group']}>
      <legend>
        <bdi>{heading}</bdi>
      </legend>
      {children}
    </fieldset>
  );
}
