import { Badge, Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import {
  isSectionKind,
  isTextKind,
  type FieldSettings,
  type SettingName,
  type SuggestedDerivation,
  type FieldKind,
} from '@/shared/fields/fieldSettings';

import { ChoicesEditor } from './ChoicesEditor';
import { DerivationEditor } from './DerivationEditor';
import {
  effectiveSettings,
  overridesOf,
  removeOverrides,
  setColumnOverrides,
  setOverride,
  SECTION_KINDS,
  TEXT_KINDS,
} from './fieldSettings';
import type { OverridesByField } from './fieldSettings';
import classes from './FieldsEditor.module.css';
import { PictureSizeInputs, RowLimitInputs } from './LimitInputs';
import pageClasses from './PublishPage.module.css';
import { suggestionOf, suggestionsOfColumns } from './suggestions';
import { useDerivationText } from './useDerivationText';

/** The server's limits, in characters. */
const MAX_CHARACTERS = { label: 100, hint: 300, example: 200, group: 100 } as const;

/** The properties that are the same on every level. */
export interface EditorContext {
  /** The template's language (BCP 47) and country. */
  lang: string | undefined;
  country: string | null;
  disabled: boolean;
  /** The id of the list of existing headings. */
  headingListId: string;
}

interface FieldListProps {
  /** The detected settings of the fields of the template or of the columns of a list. */
  detected: FieldSettings[];
  overrides: OverridesByField;
  /** The effective settings of all fields of this level. */
  fields: FieldSettings[];
  suggestions: SuggestedDerivation[];
  context: EditorContext;
  /** The label of the list whose columns these are; null for the fields of the template. */
  list: string | null;
  onChange: (overrides: OverridesByField) => void;
}

/** The fields of the template, or the columns of a list. */
export function FieldList({ detected, ...props }: FieldListProps) {
  const { t } = useTranslation();
  const { list } = props;
  return (
    <ol
      className={list === null ? classes['fields'] : classes['columns']}
      aria-label={list === null ? undefined : t('fieldEditor.columnsOf', { list })}
    >
      {detected.map((field) => (
        <FieldEditor key={field.field} detected={field} {...props} />
      ))}
    </ol>
  );
}

type FieldEditorProps = Omit<FieldListProps, 'detected'> & { detected: FieldSettings };

/** A field in one line, which opens to all of its settings. The columns of a list are below it. */
function FieldEditor(props: FieldEditorProps) {
  const { detected, overrides, suggestions, context, onChange } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const settings = effectiveSettings(detected, overrides);
  const { field, kind, columns = [] } = settings;
  const lacksChoices = kind === 'choice' && !settings.choices?.length;
  return (
    <li>
      <details
        className={classes['field']}
        onToggle={(event) => {
          // Toggle events of nested elements arrive here too.
          if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
        }}
      >
        <summary>
          <span className={classes['name']} lang={context.lang}>
            <bdi>{settings.label || field}</bdi>
          </span>
          <span className={classes['kind']} data-wrong={lacksChoices || undefined}>
            {settings.derivation
              ? t(`derivation.kinds.${settings.derivation.kind}`)
              : t(`fieldEditor.kinds.${kind}`)}
          </span>
          {(settings.said?.length ?? 0) > 0 && (
            <Badge size="xs" variant="light">
              {t('fieldEditor.said')}
            </Badge>
          )}
          {suggestionOf(suggestions, field) && (
            <Badge size="xs" variant="outline">
              {t('fieldEditor.suggestion')}
            </Badge>
          )}
        </summary>
        {open && <SettingInputs {...props} settings={settings} lacksChoices={lacksChoices} />}
      </details>
      {kind === 'list' && columns.length > 0 && (
        <details className={classes['field']} open data-columns>
          <summary>
            <span className={classes['kind']}>{t('fieldEditor.columns', { count: columns.length })}</span>
          </summary>
          <FieldList
            detected={detected.columns ?? []}
            overrides={overridesOf(overrides, field).columns ?? {}}
            fields={columns}
            suggestions={suggestionsOfColumns(suggestions, field)}
            context={context}
            list={settings.label || field}
            onChange={(ofColumns) => onChange(setColumnOverrides(overrides, field, ofColumns))}
          />
        </details>
      )}
    </li>
  );
}

interface SettingInputsProps extends FieldEditorProps {
  settings: FieldSettings;
  lacksChoices: boolean;
}

/** The inputs of all settings that a field of this kind has. */
function SettingInputs(props: SettingInputsProps) {
  const { detected, overrides, fields, suggestions, context, list, settings, lacksChoices, onChange } = props;
  const { t } = useTranslation();
  const derivationText = useDerivationText();
  const { lang, country, disabled, headingListId } = context;
  const { field, kind } = settings;
  const isOverridden = (part: SettingName) => settings.said?.includes(part) ?? false;
  const kinds: readonly FieldKind[] = isSectionKind(detected.kind) ? SECTION_KINDS : TEXT_KINDS;
  const suggested = suggestionOf(suggestions, field);
  const set = <Name extends Parameters<typeof setOverride>[2]>(
    part: Name,
    value: Parameters<typeof setOverride<Name>>[3],
  ) => onChange(setOverride(overrides, field, part, value));
  /** Returns the label of a field of this level, or of a column of one of its lists. */
  const labelOf = (name: string) =>
    [...fields, ...fields.flatMap(({ columns = [] }) => columns)].find((one) => one.field === name)?.label ||
    name;
  /** The input of a one-line setting. */
  const renderTextSetting = (
    part: keyof typeof MAX_CHARACTERS,
    input: { placeholder?: string; list?: string } = {},
  ) => (
    <TextInput
      {...input}
      size="xs"
      label={t(`fieldEditor.${part}`)}
      description={!isOverridden(part) && settings[part] ? t('fieldEditor.guessed') : undefined}
      autoComplete="off"
      maxLength={MAX_CHARACTERS[part]}
      dir="auto"
      disabled={disabled}
      value={settings[part] ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget;
        // An empty text that overrides nothing is not stored.
        set(part, value || detected[part] ? value : undefined);
      }}
      onKeyDown={(event) => {
        // Enter must not publish the template.
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
  return (
    <div className={classes['parts']}>
      <p className={pageClasses['hint']} dir="ltr">
        <bdi lang={lang}>{`{{${isSectionKind(kind) ? '#' : ''}${field}}}`}</bdi>
      </p>
      {renderTextSetting('label', { placeholder: detected.label || field })}
      <Select
        size="xs"
        label={t('fieldEditor.kind')}
        description={isOverridden('kind') ? undefined : t('fieldEditor.guessed')}
        allowDeselect={false}
        disabled={disabled}
        data={kinds.map((value) => ({ value, label: t(`fieldEditor.kinds.${value}`) }))}
        value={kind}
        onChange={(value) => value && set('kind', value as FieldKind)}
      />
      {kind !== detected.kind && isSectionKind(kind) && (
        <p className={pageClasses['hint']}>
          {t(kind === 'list' ? 'fieldEditor.becomesList' : 'fieldEditor.becomesYesNo')}
        </p>
      )}
      {kind === 'choice' && (
        <ChoicesEditor
          choices={settings.choices ?? []}
          error={lacksChoices && t('fieldEditor.noChoice')}
          description={
            isOverridden('choices') || lacksChoices ? t('fieldEditor.choicesHint') : t('fieldEditor.guessed')
          }
          lang={lang}
          disabled={disabled}
          onChange={(choices) => set('choices', choices)}
        />
      )}
      {renderTextSetting('hint')}
      {(isTextKind(kind) || kind === 'qr_code') && renderTextSetting('example')}
      {kind === 'list' && <RowLimitInputs settings={settings} disabled={disabled} onChange={set} />}
      {['picture', 'signature', 'qr_code'].includes(kind) && (
        <PictureSizeInputs settings={settings} disabled={disabled} onChange={set} />
      )}
      {list === null && renderTextSetting('group', { list: headingListId })}
      {isTextKind(kind) && (
        <>
          {suggested && (
            <div className={classes['suggestions']}>
              <p>{derivationText(suggested, labelOf)}</p>
              <Button
                size="compact-sm"
                variant="default"
                disabled={disabled}
                onClick={() => set('derivation', suggested)}
              >
                {t('fieldEditor.applySuggestion')}
              </Button>
            </div>
          )}
          <DerivationEditor
            {...{ field, fields, lang, country, disabled }}
            derivation={settings.derivation ?? null}
            onChange={(derivation) => set('derivation', derivation)}
          />
        </>
      )}
      {(settings.said?.length ?? 0) > 0 && (
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={disabled}
          className={classes['reset'] ?? ''}
          onClick={() => onChange(removeOverrides(overrides, field))}
        >
          {t('fieldEditor.reset')}
        </Button>
      )}
    </div>
  );
}
