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

import type { FieldSettings } from '@/api/types';
import { SAVED_ANSWERS_PATH } from '@/shared/savedAnswers/paths';
import { RememberSwitch } from '@/shared/savedAnswers/RememberSwitch';
import type { SavedAnswersState } from '@/shared/savedAnswers/useSavedAnswers';
import { isBlank, fieldValue, type Draft, type DraftChange } from '@/shared/drafts';
import { FieldGroups } from '@/shared/fields/FieldGroups';
import type { FieldInputsHandle } from '@/shared/fields/useLinkedFields';
import { isTotalTooLong, isTooLong } from '@/shared/limits';
import type { DerivedValue } from '@/shared/pages/messages';
import { LIMITS } from '@/shared/settings';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import classes from './FormPage.module.css';

interface FieldFormProps {
  /** The settings of each field, in the template's order. */
  settings: FieldSettings[];
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  draft: Draft;
  change: (changes: DraftChange) => void;
  /** The values of derived fields that are known so far. */
  derivedValues: Record<string, DerivedValue>;
  /** True if the same form was also changed in another tab. */
  changedElsewhere: boolean;
  /** The saved answers; null if none are offered or saved. */
  savedAnswers: SavedAnswersState | null;
  onGenerate: () => void;
  /** Called when a field gets the focus. */
  onFieldFocus: (field: string) => void;
  inputs: Ref<FieldInputsHandle>;
  /** Notices above the fields. */
  children?: ReactNode;
}

/** The form with one input per field, in the template's order. Its draft is stored while the user types. */
export function FieldForm(props: FieldFormProps) {
  const { settings, lang, country, draft, change, derivedValues, changedElsewhere, savedAnswers } = props;
  const { onGenerate, onFieldFocus, inputs, children } = props;
  const { t } = useTranslation();
  /** True while the user is asked to confirm the clearing of all fields. */
  const [isConfirmingClear, setConfirmingClear] = useState(false);
  const [isTitleMissing, setTitleMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { edit } = draft;
  const fields = settings.map(({ field }) => field);

  const values = fields.map((field) => fieldValue(draft.values, field));
  const hasDerivedText = (field: string) => {
    const derivedValue = Object.hasOwn(derivedValues, field) ? derivedValues[field] : undefined;
    return derivedValue !== undefined && 'text' in derivedValue;
  };
  const empty = settings.filter(({ field }, index) => isBlank(values[index] ?? '') && !hasDerivedText(field));
  const filled = fields.length - empty.length;
  const isTotalTooBig = isTotalTooLong(values);
  const focusField = (index: number) =>
    form.current?.querySelectorAll<HTMLElement>('[data-input]')[index]?.focus();

  useImperativeHandle(inputs, () => ({ focus: (field) => focusField(fields.indexOf(field)) }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (edit && isBlank(edit.title)) {
      setTitleMissing(true);
      form.current?.querySelector('input')?.focus();
      return;
    }
    const firstTooLong = values.findIndex(isTooLong);
    if (firstTooLong >= 0 || isTotalTooBig) focusField(Math.max(0, firstTooLong));
    else onGenerate();
  };

  // Enter inserts a line in a long text, so Ctrl or ⌘ with Enter generates the document.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };

  const clear = () => {
    setConfirmingClear(false);
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
          error={isTitleMissing && t('form.titleRequired')}
          onChange={(event) => {
            setTitleMissing(false);
            change({ edit: { ...edit, title: event.currentTarget.value } });
          }}
        />
      )}
      <div className={classes['progress']}>
        <Text size="sm" c="dimmed" id="filled">
          {fields.length === 0 ? t('form.noFields') : t('form.filled', { total: fields.length, filled })}
        </Text>
        {filled > 0 && (
          <Button variant="subtle" size="compact-sm" fw={400} onClick={() => setConfirmingClear(true)}>
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
        {changedElsewhere && t('form.elsewhere')}
      </p>
      <FieldGroups
        settings={settings}
        values={draft.values}
        lang={lang}
        country={country}
        derivedValues={derivedValues}
        savedAnswers={savedAnswers?.answers}
        onFieldFocus={onFieldFocus}
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
      {savedAnswers && settings.some(({ meaning }) => meaning) && (
        <div className={classes['remember']}>
          <RememberSwitch savedAnswers={savedAnswers} />
          {savedAnswers.isEnabled && (
            <Link to={SAVED_ANSWERS_PATH} className={classes['answers'] ?? ''}>
              {t('answers.show')}
            </Link>
          )}
        </div>
      )}
      {isTotalTooBig && (
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
        opened={isConfirmingClear}
        title={t('form.clearTitle')}
        text={t('form.clearText')}
        confirm={t('form.clear')}
        cancel={t('cancel')}
        onConfirm={clear}
        onCancel={() => setConfirmingClear(false)}
      />
    </form>
  );
}
