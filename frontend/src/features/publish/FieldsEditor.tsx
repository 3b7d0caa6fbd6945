import { Badge, Button, Select, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldHelp, ValueKind } from '@/api/types';

import { DerivationEditor } from './DerivationEditor';
import { say, shown, unsay, type Part, type Said } from './fieldHelp';
import classes from './FieldsEditor.module.css';
import pageClasses from './PublishPage.module.css';

const KINDS = [
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
const MOST = { label: 100, hint: 300, example: 200, group: 100 } as const;

interface FieldsEditorProps {
  /** The detected settings of each field, in the template's order. */
  guesses: FieldHelp[];
  said: Said;
  /** The template's language (BCP 47) and country. */
  lang: string | undefined;
  country: string | null;
  disabled: boolean;
  onChange: (said: Said) => void;
}

/** The editor of field settings: the detected ones, and the admin's overrides. */
export function FieldsEditor({ guesses, said, lang, country, disabled, onChange }: FieldsEditorProps) {
  const { t } = useTranslation();
  const fields = guesses.map((guess) => shown(guess, said));
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
        {guesses.map((guess) => (
          <Field
            key={guess.field}
            {...{ guess, said, fields, lang, country, disabled, onChange }}
            headings={listId}
          />
        ))}
      </ol>
    </section>
  );
}

interface FieldProps extends Omit<FieldsEditorProps, 'guesses'> {
  guess: FieldHelp;
  /** All fields of the template. */
  fields: FieldHelp[];
  /** The id of the list of existing headings. */
  headings: string;
}

/** A field in one line, which opens to all of its settings. */
function Field({ guess, said, fields, lang, country, disabled, headings, onChange }: FieldProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const help = shown(guess, said);
  const { field, kind } = help;
  const isSaid = (part: Part) => help.said?.includes(part) ?? false;
  const anySaid = (help.said?.length ?? 0) > 0;
  const noChoice = kind === 'choice' && !help.choices?.length;
  /** The input of a one-line setting. */
  const line = (part: keyof typeof MOST, input: { placeholder?: string; list?: string } = {}) => (
    <TextInput
      {...input}
      size="xs"
      label={t(`fieldEditor.${part}`)}
      description={!isSaid(part) && help[part] ? t('fieldEditor.guessed') : undefined}
      autoComplete="off"
      maxLength={MOST[part]}
      dir="auto"
      disabled={disabled}
      value={help[part] ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget;
        // An empty text that overrides nothing is not stored.
        onChange(say(said, field, part, value || guess[part] ? value : undefined));
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
            <bdi>{help.label || field}</bdi>
          </span>
          <span className={classes['kind']} data-wrong={noChoice || undefined}>
            {help.derivation ? t(`derivation.kinds.${help.derivation.kind}`) : t(`fieldEditor.kinds.${kind}`)}
          </span>
          {anySaid && (
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
            {line('label', { placeholder: guess.label || field })}
            <Select
              size="xs"
              label={t('fieldEditor.kind')}
              description={isSaid('kind') ? undefined : t('fieldEditor.guessed')}
              allowDeselect={false}
              disabled={disabled}
              data={KINDS.map((value) => ({ value, label: t(`fieldEditor.kinds.${value}`) }))}
              value={kind}
              onChange={(value) => value && onChange(say(said, field, 'kind', value))}
            />
            {kind === 'choice' && (
              <Choices
                choices={help.choices ?? []}
                error={noChoice && t('fieldEditor.noChoice')}
                description={
                  isSaid('choices') || noChoice ? t('fieldEditor.choicesHint') : t('fieldEditor.guessed')
                }
                lang={lang}
                disabled={disabled}
                onChange={(choices) => onChange(say(said, field, 'choices', choices))}
              />
            )}
            {line('hint')}
            {line('example')}
            {line('group', { list: headings })}
            <DerivationEditor
              {...{ field, fields, lang, country, disabled }}
              derivation={help.derivation ?? null}
              onChange={(derivation) => onChange(say(said, field, 'derivation', derivation))}
            />
            {anySaid && (
              <Button
                variant="subtle"
                size="compact-xs"
                disabled={disabled}
                className={classes['reset'] ?? ''}
                onClick={() => onChange(unsay(said, field))}
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

interface ChoicesProps {
  choices: string[];
  error: ReactNode;
  description: string;
  lang: string | undefined;
  disabled: boolean;
  onChange: (choices: string[]) => void;
}

/** The choices, one per line. */
function Choices({ choices, onChange, lang, ...input }: ChoicesProps) {
  const { t } = useTranslation();
  /** The text as typed: an empty line is not a choice yet. */
  const [text, setText] = useState(choices.join('\n'));
  const listed = (lines: string) =>
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  // The choices were changed elsewhere, by a return to the detected ones.
  const now = listed(text).join('\n') === choices.join('\n') ? text : choices.join('\n');
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
      value={now}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setText(value);
        onChange(listed(value));
      }}
    />
  );
}
