import { Button, Progress, Switch, Text, Textarea, TextInput } from '@mantine/core';
import {
  useImperativeHandle,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';

import { isBlank, valueOf, type Draft, type DraftChange } from '@/shared/drafts';
import { areTooLong, isTooLong, lengthOf } from '@/shared/limits';
import { LIMITS } from '@/shared/settings';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import classes from './FormPage.module.css';

/** The inputs of a form, for those beside it. */
export interface FieldInputs {
  focus(field: string): void;
}

interface FieldFormProps {
  fields: string[];
  /** BCP 47 of the template. */
  lang: string;
  draft: Draft;
  change: (what: DraftChange) => void;
  /** The same form was filled in in another tab as well. */
  elsewhere: boolean;
  onGenerate: () => void;
  /** A field has the keyboard. */
  onField: (field: string) => void;
  inputs: Ref<FieldInputs>;
  /** What is to be known before it is filled in. */
  children?: ReactNode;
}

/** One input per field, in the template's order. What is entered is kept as it is typed. */
export function FieldForm(props: FieldFormProps) {
  const { fields, lang, draft, change, elsewhere, onGenerate, onField, inputs, children } = props;
  const { t } = useTranslation();
  /** Whether it is being asked if every field may be emptied. */
  const [clearing, setClearing] = useState(false);
  const [untitled, setUntitled] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { edit } = draft;

  const values = fields.map((field) => valueOf(draft.values, field));
  const empty = fields.filter((_, index) => isBlank(values[index] ?? ''));
  const filled = fields.length - empty.length;
  const allTooLong = areTooLong(values);
  const focusField = (index: number) => form.current?.querySelectorAll('textarea')[index]?.focus();

  useImperativeHandle(inputs, () => ({ focus: (field) => focusField(fields.indexOf(field)) }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (edit && isBlank(edit.title)) {
      setUntitled(true);
      form.current?.querySelector('input')?.focus();
      return;
    }
    const wrong = values.findIndex(isTooLong);
    if (wrong >= 0 || allTooLong) focusField(Math.max(0, wrong));
    else onGenerate();
  };

  // Enter is a line of its own in a long text, so Ctrl or ⌘ goes with it to generate.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };

  const clear = () => {
    setClearing(false);
    change({ values: Object.fromEntries(fields.map((field) => [field, ''])) });
  };

  return (
    <form ref={form} className={classes['form']} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      {children}
      {edit && (
        <TextInput
          label={t('form.documentTitle')}
          mb="lg"
          maxLength={LIMITS.titleCharacters}
          value={edit.title}
          error={untitled && t('form.titleRequired')}
          onChange={(event) => {
            setUntitled(false);
            change({ edit: { ...edit, title: event.currentTarget.value } });
          }}
        />
      )}
      <div className={classes['progress']}>
        <Text size="sm" c="dimmed" id="filled">
          {fields.length === 0 ? t('form.noFields') : t('form.filled', { total: fields.length, filled })}
        </Text>
        {filled > 0 && (
          <Button variant="subtle" size="compact-sm" fw={400} onClick={() => setClearing(true)}>
            {t('form.clear')}
          </Button>
        )}
        {fields.length > 0 && (
          <Progress.Root className={classes['meter'] ?? ''} size={4} transitionDuration={120}>
            <Progress.Section value={(filled / fields.length) * 100} aria-labelledby="filled" />
          </Progress.Root>
        )}
        {filled > 0 && empty.length > 0 && (
          <details className={classes['empty']}>
            <summary>{t('form.empty', { count: empty.length })}</summary>
            <ul>
              {empty.map((field) => (
                <li key={field}>
                  <button type="button" lang={lang} onClick={() => focusField(fields.indexOf(field))}>
                    <bdi>{field}</bdi>
                  </button>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <p className={classes['elsewhere']} role="status">
        {elsewhere && t('form.elsewhere')}
      </p>
      <div className={classes['fields']} lang={lang}>
        {fields.map((field, index) => {
          const value = values[index] ?? '';
          return (
            <Textarea
              key={field}
              label={<bdi>{field}</bdi>}
              autosize
              minRows={1}
              maxRows={12}
              autoComplete="off"
              value={value}
              onFocus={() => onField(field)}
              error={
                isTooLong(value) &&
                t('form.tooLong', { limit: LIMITS.valueCharacters, length: lengthOf(value) })
              }
              onChange={(event) => change({ values: { [field]: event.currentTarget.value } })}
            />
          );
        })}
      </div>
      {fields.length > 0 && (
        <Switch
          mt="lg"
          label={t('form.leaveBlank')}
          description={t('form.leaveBlankHint')}
          checked={draft.blank}
          onChange={(event) => change({ blank: event.currentTarget.checked })}
        />
      )}
      {allTooLong && (
        <Text size="sm" c="red" role="alert" mt="md">
          {t('form.allTooLong', { limit: LIMITS.valuesKilobytes })}
        </Text>
      )}
      <div className={classes['end']}>
        <Button type="submit" size="md" fullWidth>
          {t('form.generate')}
        </Button>
      </div>
      <ConfirmDialog
        opened={clearing}
        title={t('form.clearTitle')}
        text={t('form.clearText')}
        confirm={t('form.clear')}
        cancel={t('cancel')}
        onConfirm={clear}
        onCancel={() => setClearing(false)}
      />
    </form>
  );
}
