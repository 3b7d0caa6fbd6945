import { Button, Switch, Text, TextInput } from '@mantine/core';
import {
  memo,
  useDeferredValue,
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
import { useSelection, type FormStore } from '@/shared/fields/formStore';
import { shownFields, type TemplateSections } from '@/shared/fields/sectionConditions';
import type { FieldInputsHandle } from '@/shared/fields/useLinkedFields';
import {
  emptyValue,
  isBlank,
  isEmptyValue,
  valueOfType,
  type FieldValue,
  type FieldValues,
} from '@/shared/fields/values';
import { arePicturesTooLarge, hasTooManyRows, isTotalTooLong } from '@/shared/limits';
import type { DerivedValue } from '@/shared/pages/messages';
import { SAVED_ANSWERS_PATH } from '@/shared/paths';
import { LIMITS } from '@/shared/settings';
import { useStore } from '@/shared/store';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { undoToast } from '@/shared/ui/Toasts';
import { useStableCallback } from '@/shared/ui/useStableCallback';

import { FormProgress } from './FormProgress';
import classes from './FormPage.module.css';
import type { DraftState } from './useDraft';

/** The draft of a form (useDraft.ts). */
export interface FormDraft {
  draft: FormStore<Draft>;
  values: FormStore<FieldValues>;
  state: FormStore<DraftState>;
  change: (changes: DraftChange) => void;
}

interface FieldFormProps {
  /** The settings of each field, in the template's order. */
  settings: FieldSettings[];
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  form: FormDraft;
  /** The values of derived fields that are known so far. */
  derivedValues: FormStore<Record<string, DerivedValue>>;
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

/**
 * The form with one input per field, in the template's order. Its draft is stored while the user types. The parts that
 * show the draft subscribe to it, and those that depend on all fields follow after the key is shown.
 */
export const FieldForm = memo(function FieldForm(props: FieldFormProps) {
  const { settings, lang, country, form, derivedValues, changedElsewhere, savedAnswers } = props;
  const { sections, isTest, onGenerate, onFieldFocus, inputs, children } = props;
  const { values, change } = form;
  const { t } = useTranslation();
  /** True while the user is asked to confirm that nothing is filled in. */
  const [isConfirmingEmpty, setConfirmingEmpty] = useState(false);
  const [isTitleMissing, setTitleMissing] = useState(false);
  /** True after the user has tried to generate the document with too few rows in a list. */
  const [showsMissing, setShowsMissing] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const edit = useSelection(form.draft, (draft) => draft.edit);
  const blank = useSelection(form.draft, (draft) => draft.blank);
  const focusField = useStableCallback((path: string) => focusInput(formRef.current, path));

  useImperativeHandle(inputs, () => ({ focus: focusField }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (edit && isBlank(edit.title)) {
      setTitleMissing(true);
      formRef.current?.querySelector('input')?.focus();
      return;
    }
    const shown = shownFields(settings, values.get(), sections);
    const problem = firstProblem(shown, values.get());
    if (problem) {
      setShowsMissing(true);
      focusField(problem);
    } else if (exceededLimits(settings, values.get()).length > 0) focusField(shown[0]?.field ?? '');
    else if (isNothingFilledIn(settings, shown, values.get()) && !isTest) setConfirmingEmpty(true);
    else onGenerate();
  };

  // Enter inserts a line in a long text, so Ctrl or ⌘ with Enter generates the document.
  const onKeyDown = (event: KeyboardEvent) => {
    const isInDialog = !event.currentTarget.contains(event.target as Node);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isInDialog)
      formRef.current?.requestSubmit();
  };

  const changeValue = useStableCallback((field: string, value: FieldValue) =>
    change({ values: { [field]: value } }),
  );

  const clear = useStableCallback(() => {
    const before = values.get();
    const fields = settings.map(structuredField);
    change({ values: Object.fromEntries(fields.map(({ name, type }) => [name, emptyValue(type)])) });
    undoToast(t('documentPages.cleared'), t('undo'), () => change({ values: before }));
  });

  return (
    <form ref={formRef} className={classes['form']} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
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
      <FormProgress
        {...{ settings, lang, values, derivedValues, sections }}
        onFieldClick={focusField}
        onClear={clear}
      />
      <p className={classes['elsewhere']} role="status">
        {changedElsewhere && t('form.elsewhere')}
      </p>
      <FieldGroups
        settings={settings}
        values={values}
        lang={lang}
        country={country}
        derivedValues={derivedValues}
        sections={sections}
        savedAnswers={savedAnswers?.answers}
        showsMissing={showsMissing}
        onFieldFocus={onFieldFocus}
        onChange={changeValue}
      />
      {settings.length > 0 && (
        <Switch
          mt="lg"
          label={t('form.leaveBlank')}
          description={t('form.leaveBlankHint')}
          checked={blank}
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
      <LimitAlerts settings={settings} values={values} />
      <div className={classes['end']}>
        <Button type="submit" size="md" fullWidth>
          {t('form.generate')}
        </Button>
        <DraftSign state={form.state} />
      </div>
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
});

/** Says if the device has what was typed. */
function DraftSign({ state }: { state: FormStore<DraftState> }) {
  const { t } = useTranslation();
  const current = useStore(state);
  // If the browser refuses to store the draft, a notice above the page says so.
  return (
    <Text size="sm" c="dimmed" className={classes['draft'] ?? ''} data-draft={current}>
      {current === 'stored' && t('documentPages.draftSaved')}
      {current === 'unstored' && t('documentPages.draftSaving')}
    </Text>
  );
}

type Limit = 'texts' | 'rows' | 'pictures';

/** Returns the limits that all values together exceed. */
function exceededLimits(settings: readonly FieldSettings[], values: FieldValues): Limit[] {
  const all = settings.map((one) => valueOfType(values, structuredField(one)));
  const exceeded: Limit[] = [];
  if (isTotalTooLong(all)) exceeded.push('texts');
  if (hasTooManyRows(all)) exceeded.push('rows');
  if (arePicturesTooLarge(all)) exceeded.push('pictures');
  return exceeded;
}

/** Returns true if the form asks for values and has none. A yes/no field always has an answer. */
function isNothingFilledIn(
  settings: readonly FieldSettings[],
  shown: readonly FieldSettings[],
  values: FieldValues,
): boolean {
  return (
    shown.some(({ kind }) => kind !== 'yes_no') &&
    settings.every((one) => isEmptyValue(valueOfType(values, structuredField(one))))
  );
}

/** The limits that all values together exceed. They follow after the key is shown. */
function LimitAlerts(props: { settings: readonly FieldSettings[]; values: FormStore<FieldValues> }) {
  return <LimitTexts settings={props.settings} values={useDeferredValue(useStore(props.values))} />;
}

const LimitTexts = memo(function LimitTexts(props: {
  settings: readonly FieldSettings[];
  values: FieldValues;
}) {
  const { t } = useTranslation();
  const texts: Record<Limit, string> = {
    texts: t('form.allTooLong', { limit: LIMITS.valuesKilobytes }),
    rows: t('list.tooManyInAll', { limit: LIMITS.rows }),
    pictures: t('form.picturesTooLarge', { limit: LIMITS.picturesMegabytes }),
  };
  return exceededLimits(props.settings, props.values).map((limit) => (
    <Text key={limit} size="sm" c="red" role="alert" mt="md">
      {texts[limit]}
    </Text>
  ));
});
