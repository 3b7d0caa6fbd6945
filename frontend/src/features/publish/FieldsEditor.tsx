import { Badge, Button, Select, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings, ValueKind } from '@/api/types';

import { DerivationEditor } from './DerivationEditor';
import {
  setOverride,
  effectiveSettings,
  removeOverrides,
  type SettingName,
  type OverridesByField,
} from './fieldSettings';
import classes from './FieldsEditor.module.css';
import pageClasses from './PublishPage.module.css';

const VALUE_KINDS = [
  'text',
  'long_text',
  'date',
  'amount',
  'number',
  'choice',
  'email',
  'phone',
] as const satisfies readonly ValueKind[];

/** The server's limits, in characters. */
const MAX_CHARACTERS = { label: 100, hint: 300, example: 200, group: 100 } as const;

interface FieldsEditorProps {
  /** The detected settings of each field, in the template's order. */
  detected: FieldSettings[];
  overrides: OverridesByField;
  /** The template's language (BCP 47) and country. */
  lang: string | undefined;
  country: string | null;
  disabled: boolean;
  onChange: (overrides: OverridesByField) => void;
}

/** The editor of field settings: the detected ones, and the admin's overrides. */
export function FieldsEditor({ detected, overrides, lang, country, disabled, onChange }: FieldsEditorProps) {
  const { t } = useTranslation();
  const fields = detected.map((fieldDetected) => effectiveSettings(fieldDetected, overrides));
  const headings = new Set(fields.map(({ group }) => group).filter(Boolean));
  const listId = useId();
  return (
    <section className={pageClasses['settings']} aria-labelledby={`${listId}-title`}>
      <h2 id={`${listId}-title`}>{t('fieldEditor.title')}</h2>
      <p className={pageClasses['hint']}>{t('fieldEditor.lead')}</p>
      <datalist id={listId}>
        {[...headings].map((heading) => (
          <option key={heading} value={heading} />
        ))}
      </datalist>
      <ol className={classes['fields']}>
        {detected.map((field) => (
          <FieldEditor
            key={field.field}
            detected={field}
            {...{ overrides, fields, lang, country, disabled, onChange }}
            headingListId={listId}
          />
        ))}
      </ol>
    </section>
  );
}

interface FieldEditorProps extends Omit<FieldsEditorProps, 'detected'> {
  detected: FieldSettings;
  /** All fields of the template. */
  fields: FieldSettings[];
  /** The id of the list of existing headings. */
  headingListId: string;
}

/** A field in one line, which opens to all of its settings. */
function FieldEditor({
  detected,
  overrides,
  fields,
  lang,
  country,
  disabled,
  headingListId,
  onChange,
}: FieldEditorProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const settings = effectiveSettings(detected, overrides);
  const { field, kind } = settings;
  const isOverridden = (part: SettingName) => settings.said?.includes(part) ?? false;
  const hasOverrides = (settings.said?.length ?? 0) > 0;
  const lacksChoices = kind === 'choice' && !settings.choices?.length;
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
        onChange(setOverride(overrides, field, part, value || detected[part] ? value : undefined));
      }}
      onKeyDown={(event) => {
        // Enter must not publish the template.
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
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
          <span className={classes['name']} lang={lang}>
            <bdi>{settings.label || field}</bdi>
          </span>
          <span className={classes['kind']} data-wrong={lacksChoices || undefined}>
            {settings.derivation
              ? t(`derivation.kinds.${settings.derivation.kind}`)
              : t(`fieldEditor.kinds.${kind}`)}
          </span>
          {hasOverrides && (
            <Badge size="xs" variant="light">
              {t('fieldEditor.said')}
            </Badge>
          )}
        </summary>
        {open && (
          <div className={classes['parts']}>
            <p className={pageClasses['hint']} dir="ltr">
              <bdi lang={lang}>{`{{${field}}}`}</bdi>
            </p>
            {renderTextSetting('label', { placeholder: detected.label || field })}
            <Select
              size="xs"
              label={t('fieldEditor.kind')}
              description={isOverridden('kind') ? undefined : t('fieldEditor.guessed')}
              allowDeselect={false}
              disabled={disabled}
              data={VALUE_KINDS.map((value) => ({ value, label: t(`fieldEditor.kinds.${value}`) }))}
              value={kind}
              onChange={(value) => value && onChange(setOverride(overrides, field, 'kind', value))}
            />
            {kind === 'choice' && (
              <ChoicesEditor
                choices={settings.choices ?? []}
                error={lacksChoices && t('fieldEditor.noChoice')}
                description={
                  isOverridden('choices') || lacksChoices
                    ? t('fieldEditor.choicesHint')
                    : t('fieldEditor.guessed')
                }
                lang={lang}
                disabled={disabled}
                onChange={(choices) => onChange(setOverride(overrides, field, 'choices', choices))}
              />
            )}
            {renderTextSetting('hint')}
            {renderTextSetting('example')}
            {renderTextSetting('group', { list: headingListId })}
            <DerivationEditor
              {...{ field, fields, lang, country, disabled }}
              derivation={settings.derivation ?? null}
              onChange={(derivation) => onChange(setOverride(overrides, field, 'derivation', derivation))}
            />
            {hasOverrides && (
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
        )}
      </details>
    </li>
  );
}

interface ChoicesEditorProps {
  choices: string[];
  error: ReactNode;
  description: string;
  lang: string | undefined;
  disabled: boolean;
  onChange: (choices: string[]) => void;
}

/** The choices, one per line. */
function ChoicesEditor({ choices, onChange, lang, ...input }: ChoicesEditorProps) {
  const { t } = useTranslation();
  /** The text as typed: an empty line is not a choice yet. */
  const [text, setText] = useState(choices.join('\n'));
  const parseChoices = (lines: string) =>
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  // The reset button has restored the detected choices.
  const shownText = parseChoices(text).join('\n') === choices.join('\n') ? text : choices.join('\n');
  return (
    <Textarea
      {...input}
      size="xs"
      label={t('fieldEditor.choices')}
      autosize
      minRows={2}
      maxRows={10}
      dir="auto"
      lang={lang}
      value={shownText}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setText(value);
        onChange(parseChoices(value));
      }}
    />
  );
}
