import { Button, Progress, Switch, Text, TextInput } from '@mantine/core';
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
import { Link } from 'react-router';

import type { FieldHelp } from '@/api/types';
import { MY_ANSWERS } from '@/shared/answers/paths';
import { RememberSwitch } from '@/shared/answers/RememberSwitch';
import type { KnownAnswersHere } from '@/shared/answers/useKnownAnswers';
import { isBlank, valueOf, type Draft, type DraftChange } from '@/shared/drafts';
import { FieldGroups } from '@/shared/fields/FieldGroups';
import type { FieldInputs } from '@/shared/fields/useLinkedFields';
import { areTooLong, isTooLong } from '@/shared/limits';
import type { Said } from '@/shared/pages/messages';
import { LIMITS } from '@/shared/settings';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import classes from './FormPage.module.css';

interface FieldFormProps {
  /** The settings of each field, in the template's order. */
  help: FieldHelp[];
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  draft: Draft;
  change: (what: DraftChange) => void;
  /** The values of derived fields that are known so far. */
  derived: Record<string, Said>;
  /** True if the same form was also changed in another tab. */
  elsewhere: boolean;
  /** The saved answers; null if none are offered or saved. */
  known: KnownAnswersHere | null;
  onGenerate: () => void;
  /** Called when a field gets the focus. */
  onField: (field: string) => void;
  inputs: Ref<FieldInputs>;
  /** Notices above the fields. */
  children?: ReactNode;
}

/** The form with one input per field, in the template's order. Its draft is stored while the user types. */
export function FieldForm(props: FieldFormProps) {
  const { help, lang, country, draft, change, derived, elsewhere, known } = props;
  const { onGenerate, onField, inputs, children } = props;
  const { t } = useTranslation();
  /** True while the user is asked to confirm the clearing of all fields. */
  const [clearing, setClearing] = useState(false);
  const [untitled, setUntitled] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { edit } = draft;
  const fields = help.map(({ field }) => field);

  const values = fields.map((field) => valueOf(draft.values, field));
  const saysItself = (field: string) => {
    const said = Object.hasOwn(derived, field) ? derived[field] : undefined;
    return said !== undefined && 'text' in said;
  };
  const empty = help.filter(({ field }, index) => isBlank(values[index] ?? '') && !saysItself(field));
  const filled = fields.length - empty.length;
  const allTooLong = areTooLong(values);
  const focusField = (index: number) =>
    form.current?.querySelectorAll<HTMLElement>('[data-input]')[index]?.focus();

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

  // Enter inserts a line in a long text, so Ctrl or ⌘ with Enter generates the document.
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
              {empty.map(({ field, label }) => (
                <li key={field}>
                  <button type="button" lang={lang} onClick={() => focusField(fields.indexOf(field))}>
                    <bdi>{label || field}</bdi>
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
      <FieldGroups
        help={help}
        values={draft.values}
        lang={lang}
        country={country}
        derived={derived}
        known={known?.answers}
        onField={onField}
        onChange={(field, entered) => change({ values: { [field]: entered } })}
      />
      {fields.length > 0 && (
        <Switch
          mt="lg"
          label={t('form.leaveBlank')}
          description={t('form.leaveBlankHint')}
          checked={draft.blank}
          onChange={(event) => change({ blank: event.currentTarget.checked })}
        />
      )}
      {known && help.some(({ meaning }) => meaning) && (
        <div className={classes['remember']}>
          <RememberSwitch known={known} />
          {known.on && (
            <Link to={MY_ANSWERS} className={classes['answers'] ?? ''}>
              {t('answers.show')}
            </Link>
          )}
        </div>
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
