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

import { RememberSwitch } from '@/shared/savedAnswers/RememberSwitch';
import type { SavedAnswersState } from '@/shared/savedAnswers/useSavedAnswers';
import type { Draft, DraftChange } from '@/shared/drafts';
import { FieldGroups } from '@/shared/fields/FieldGroups';
import { structuredField, type FieldSettings } from '@/shared/fields/fieldSettings';
import { firstProblem } from '@/shared/fields/firstProblem';
import { focusInput } from '@/shared/fields/focusInput';
import { shownFields, type TemplateSections } from '@/shared/fields/sectionConditions';
import type { FieldInputsHandle } from '@/shared/fields/useLinkedFields';
import { emptyValue, isBlank, isEmptyValue, valueOfType } from '@/shared/fields/values';
import { arePicturesTooLarge, hasTooManyRows, isTotalTooLong } from '@/shared/limits';
import type { DerivedValue } from '@/shared/pages/messages';
import { SAVED_ANSWERS_PATH } from '@/shared/paths';
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
  /** The sections that fields lie in. */
  sections: TemplateSections;
  /** True if the same form was also changed in another tab. */
  changedElsewhere: boolean;
  /** The saved answers; null if none are offered or saved. */
  savedAnswers: SavedAnswersState | null;
  onGenerate: () => void;
  /** True for a test fill by an admin, which may be empty. */
  isTest?: boolean;
  /** Called when a field gets the focus. */
  onFieldFocus: (field: string) => void;
  inputs: Ref<FieldInputsHandle>;
  /** Notices above the fields. */
  children?: ReactNode;
}

/** The form with one input per field, in the template's order. Its draft is stored while the user types. */
export function FieldForm(props: FieldFormProps) {
  const { settings, lang, country, draft, change, derivedValues, changedElsewhere, savedAnswers } = props;
  const { sections, isTest, onGenerate, onFieldFocus, inputs, children } = props;
  const { t } = useTranslation();
  /** True while the user is asked to confirm the clearing of all fields. */
  const [isConfirmingClear, setConfirmingClear] = useState(false);
  /** True while the user is asked to confirm that nothing is filled in. */
  const [isConfirmingEmpty, setConfirmingEmpty] = useState(false);
  const [isTitleMissing, setTitleMissing] = useState(false);
  /** True after the user has tried to generate the document with too few rows in a list. */
  const [showsMissing, setShowsMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { edit } = draft;
  const fields = settings.map(structuredField);

  const values = fields.map((field) => valueOfType(draft.values, field));
  const hasDerivedText = (field: string) => {
    const derivedValue = Object.hasOwn(derivedValues, field) ? derivedValues[field] : undefined;
    return derivedValue !== undefined && 'text' in derivedValue;
  };
  const hasEntries = values.some((value) => !isEmptyValue(value));
  const shown = shownFields(settings, draft.values, sections);
  // A yes/no field always has an answer, so it is not counted.
  const counted = shown.filter(({ kind }) => kind !== 'yes_no');
  const empty = counted.filter(
    (one) => isEmptyValue(valueOfType(draft.values, structuredField(one))) && !hasDerivedText(one.field),
  );
  const filled = counted.length - empty.length;
  const isTotalTooBig = isTotalTooLong(values);
  const isOverRowLimit = hasTooManyRows(values);
  const isOverPictureLimit = arePicturesTooLarge(values);
  const focusField = (path: string) => focusInput(form.current, path);

  useImperativeHandle(inputs, () => ({ focus: focusField }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (edit && isBlank(edit.title)) {
      setTitleMissing(true);
      form.current?.querySelector('input')?.focus();
      return;
    }
    const problem = firstProblem(shown, draft.values);
    if (problem) {
      setShowsMissing(true);
      focusField(problem);
    } else if (isTotalTooBig || isOverRowLimit || isOverPictureLimit) focusField(shown[0]?.field ?? '');
    else if (counted.length > 0 && !hasEntries && !isTest) setConfirmingEmpty(true);
    else onGenerate();
  };

  // Enter inserts a line in a long text, so Ctrl or ⌘ with Enter generates the document.
  const onKeyDown = (event: KeyboardEvent) => {
    const isInDialog = !event.currentTarget.contains(event.target as Node);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isInDialog)
      form.current?.requestSubmit();
  };

  const clear = () => {
    setConfirmingClear(false);
    change({ values: Object.fromEntries(fields.map(({ name, type }) => [name, emptyValue(type)])) });
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
          {fields.length === 0 ? t('form.noFields') : t('form.filled', { total: counted.length, filled })}
        </Text>
        {hasEntries && (
          <Button variant="subtle" size="compact-sm" fw={400} onClick={() => setConfirmingClear(true)}>
            {t('form.clear')}
          </Button>
        )}
        {counted.length > 0 && (
          <Progress.Root className={classes['meter'] ?? ''} size={4} transitionDuration={120}>
            <Progress.Section value={(filled / counted.length) * 100} aria-labelledby="filled" />
          </Progress.Root>
        )}
        {filled > 0 && empty.length > 0 && (
          <details className={classes['empty']}>
            <summary>{t('form.empty', { count: empty.length })}</summary>
            <ul>
              {empty.map(({ field, label }) => (
                <li key={field}>
                  <button type="button" lang={lang} onClick={() => focusField(field)}>
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
        sections={sections}
        savedAnswers={savedAnswers?.answers}
        showsMissing={showsMissing}
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
      {isOverRowLimit && (
        <Text size="sm" c="red" role="alert" mt="md">
          {t('list.tooManyInAll', { limit: LIMITS.rows })}
        </Text>
      )}
      {isOverPictureLimit && (
        <Text size="sm" c="red" role="alert" mt="md">
          {t('form.picturesTooLarge', { limit: LIMITS.picturesMegabytes })}
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
      <ConfirmDialog
        opened={isConfirmingEmpty}
        title={t('form.emptyTitle')}
        text={t('form.emptyText')}
        confirm={t('form.emptyConfirm')}
        cancel={t('form.emptyCancel')}
        onConfirm={onGenerate}
        onCancel={() => setConfirmingEmpty(false)}
      />
    </form>
  );
}
