import { Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import type { Template } from '@/api/types';
import type { OpenTemplate } from '@/shared/templates/useTemplate';
import { structuredField, type FieldSettings } from '@/shared/fields/fieldSettings';
import { completeValues, isEmptyValue, type FieldValues } from '@/shared/fields/values';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { formatFileSize } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel } from '@/shared/lookups';
import { canLayOutPages } from '@/shared/pages/client';
import { currentOwner } from '@/shared/personal/owner';
import { LIMITS } from '@/shared/settings';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { CheckAlerts } from './CheckAlerts';
import { EditConflict, type Merge } from './EditConflict';
import {
  draftFromTemplate,
  EMPTY_TEMPLATE_DRAFT,
  areDraftsEqual,
  readFormStart,
  removeUnfinished,
  writeTemplateFile,
  type FormStart,
  type TemplateDraft,
} from './templateDraft';
import {
  renameFields,
  detectedSettings,
  haveSameOverrides,
  overridesToSend,
  type OverridesByField,
  setDeclaredKinds,
  type DeclaredKind,
} from './fieldSettings';
import {
  fileProblem,
  fileProblems,
  titleProblem,
  type TemplateProblem,
  type TemplateValues,
} from './templateProblems';
import { FileDrop } from './FileDrop';
import { GettingStarted } from './GettingStarted';
import { useAreaPaths, useAreaTexts, useTemplateArea } from './templateArea';
import { PublishAlerts, PublishButtons } from './PublishAlerts';
import { SameTitleNote } from './SameTitleNote';
import classes from './PublishPage.module.css';
import { CurrentTemplatePages, TemplatePages, TemplateProblems } from './TemplatePreview';
import { TemplateFieldsColumn } from './TemplateFieldsColumn';
import { UnfinishedTemplates } from './UnfinishedTemplates';
import { useTemplateCheck } from './useTemplateCheck';
import { useEditedSettings } from './useEditedSettings';
import { usePublishTemplate } from './usePublishTemplate';
import { useStoreUnfinished } from './useStoreUnfinished';
import { valuesFromFile } from './valuesFromFile';

const NO_SETTINGS: FieldSettings[] = [];

/** A new template, kept on the device under the name in the URL, or the edit of a template. */
export type TemplateFormTask =
  { kind: 'new'; name: string } | { kind: 'edit'; templateAtStart: OpenTemplate };

/** A file of a list of several files, which is opened in the form. */
export interface ListedFile {
  start: FormStart;
  onPublished: (published: Template) => void;
}

interface TemplateFormProps {
  task: TemplateFormTask;
  onUseNewest?: (newest: OpenTemplate) => void;
  /** Called with several files and the input so far. Returns false if they are too many. */
  onChooseSeveral?: (files: File[], draft: TemplateDraft) => boolean;
  listed?: ListedFile;
  /** Returns true if leaving the page would lose other files. */
  losesFiles?: () => boolean;
}

/** The kinds that are known before a file is checked, by name. */
type DeclaredKinds = ReadonlyMap<string, DeclaredKind>;
const NO_KINDS: DeclaredKinds = new Map();

/** The form for a template's title, file and settings, with a preview before it is published. */
export function TemplateForm({
  task,
  onUseNewest,
  onChooseSeveral,
  listed,
  losesFiles = () => false,
}: TemplateFormProps) {
  const { t } = useTranslation();
  const area = useTemplateArea();
  const paths = useAreaPaths();
  const texts = useAreaTexts();
  const navigate = useNavigate();
  const locale = useFormattingLocale();
  const label = useCategoryLabel();
  const [owner] = useState(currentOwner);
  /** The name of a new template. */
  const name = task.kind === 'new' ? task.name : null;
  const [stored] = useState(
    () => listed?.start ?? (name === null ? { unfinished: null, file: null } : readFormStart(name, owner)),
  );
  /** The state that will be replaced. It changes after the admin has seen the changes of others. */
  const [replacedTemplate, setReplacedTemplate] = useState(
    task.kind === 'edit' ? task.templateAtStart : null,
  );
  const edited = replacedTemplate?.template ?? null;
  const [initialDraft, setInitialDraft] = useState(() =>
    edited ? draftFromTemplate(edited, label) : EMPTY_TEMPLATE_DRAFT,
  );
  const [renamed, setRenamed] = useState<Record<string, string>>({});
  /** The overrides of field settings; null if unchanged. */
  const [overrides, setOverrides] = useState<OverridesByField | null>(stored.unfinished?.said ?? null);
  /** The preview values by field. */
  const [previewValues, setPreviewValues] = useState<FieldValues>({});
  /** True if this browser cannot lay out pages itself. */
  const [isUnsupported, setUnsupported] = useState(() => !canLayOutPages());
  const isDone = useRef(false);
  const pageTitle = edited ? texts.editTitle : texts.title;
  usePageTitle(pageTitle);

  const check = useTemplateCheck();
  const serverFill = useTemplateCheck();
  const publish = usePublishTemplate((published) => {
    isDone.current = true;
    if (name !== null) removeUnfinished(name, owner);
    toast.success(edited ? texts.updated : texts.created);
    listed?.onPublished(published);
    void navigate(listed ? paths.create : paths.list);
  });

  const form = useCheckedForm<TemplateValues, TemplateProblem>({
    initialValues: { ...(stored.unfinished?.draft ?? initialDraft), file: stored.file },
    findProblems: ({ title, file }) => ({
      ...titleProblem(title),
      ...(file ? fileProblems(fileProblem(file)) : edited ? {} : { file: 'fillall' as const }),
    }),
    // Missing input is reported once, above the button.
    problemText: (problem, _, { file: chosen }) =>
      problem === 'fillall' ||
      t(`publish.${problem}`, {
        size: chosen ? formatFileSize(chosen.size, locale) : '',
        limit: problem === 'titleTooLong' ? LIMITS.titleCharacters : LIMITS.templateMegabytes,
      }),
    onSubmit: (values) => publish.mutate({ ...values, edited, renamed, overrides: changedOverrides() }),
  });
  const { file, ...draft } = form.values;
  const { title, language, country } = draft;
  const checked = check.data;
  const hasErrors = checked?.diagnostics.some(({ severity }) => severity === 'error') ?? false;
  const isIncomplete = Object.values(form.problems).includes('fillall');
  const { detected, storedOverrides, shownOverrides, fields } = useEditedSettings({
    stored: replacedTemplate?.settings ?? NO_SETTINGS,
    checked: checked?.settings,
    renamed,
    overrides,
  });
  // The server uses the same default if no language is chosen.
  const { inputProps, pagesProps } = useLinkedFields(fields, language ?? 'en', country);
  const overridesChanged = overrides !== null && !haveSameOverrides(detected, overrides, storedOverrides);
  /** Returns the overrides to send, or null if they are unchanged. */
  function changedOverrides() {
    return overridesChanged ? overridesToSend(detected, overrides) : null;
  }
  const hasChanges = file !== null || overridesChanged || !areDraftsEqual(initialDraft, draft);
  // A file that cannot be read will not be published either.
  const isUnreadable =
    check.error instanceof ApiError && check.error.status >= 400 && check.error.status < 429;

  useStoreUnfinished(name, owner, { draft, said: overrides }, hasChanges, isDone);

  const checkFile = (chosen: File, chosenTitle: string, kinds: DeclaredKinds = NO_KINDS) => {
    serverFill.reset();
    setRenamed({});
    check.mutate(
      { file: chosen, title: chosenTitle },
      {
        onSuccess: ({ language: fileLanguage, settings }) => {
          if (kinds.size > 0)
            setOverrides((now) => setDeclaredKinds(now ?? storedOverrides, settings, kinds));
          // The detected language is used if the admin has not chosen one.
          if (fileLanguage && !edited && !form.currentValues().language)
            form.change({ language: fileLanguage });
        },
      },
    );
  };

  // The file of an unfinished template is checked again, for its fields and pages.
  const checkStoredFile = useRef(() => stored.file && checkFile(stored.file, title));
  useEffect(() => void checkStoredFile.current(), []);

  const choose = (chosen: File | null, kinds: DeclaredKinds = NO_KINDS) => {
    publish.reset();
    check.reset();
    serverFill.reset();
    const problem = chosen && fileProblem(chosen);
    // An edited template keeps its title and language.
    const next = edited
      ? draft
      : valuesFromFile(form.values, checked?.language ?? null, problem ? null : chosen);
    form.change({ file: chosen, title: next.title, language: next.language });
    if (name !== null) writeTemplateFile(name, problem ? null : chosen, owner);
    // An invalid file is reported at once.
    if (chosen) form.showProblems(fileProblems(problem));
    if (chosen && !problem) checkFile(chosen, next.title, kinds);
  };

  const chooseSeveral = (files: File[]) => {
    const areAdded = onChooseSeveral?.(files, draft) ?? false;
    // Otherwise the template stays as an unfinished one.
    if (areAdded && name !== null && !file && !title.trim()) {
      isDone.current = true;
      removeUnfinished(name, owner);
    }
    return areAdded;
  };

  /** Returns the renamings that still fit a newer state of the template. */
  const validRenames = ({ template: { fields } }: OpenTemplate) =>
    Object.fromEntries(
      Object.entries(renamed).filter(([old, now]) => fields.includes(old) && !fields.includes(now)),
    );

  const saveMergedState = ({
    newest,
    theirs,
    draft: chosen,
    overrides: chosenOverrides,
    file: side,
  }: Merge) => {
    const ownFile = side === 'mine' ? file : null;
    const fieldsNow = ownFile && checked ? checked.settings : newest.settings;
    if (!ownFile) choose(null);
    setReplacedTemplate(newest);
    setInitialDraft(theirs.draft);
    setOverrides(chosenOverrides);
    form.change(chosen);
    publish.mutate({
      ...chosen,
      file: ownFile,
      edited: newest.template,
      renamed: ownFile ? validRenames(newest) : {},
      overrides: haveSameOverrides(fieldsNow, chosenOverrides, theirs.overrides)
        ? null
        : overridesToSend(fieldsNow, chosenOverrides),
    });
  };

  const hasConflict = publish.error instanceof ApiError && publish.error.code === 'template_changed';
  const sentFraction = publish.isPending
    ? publish.sentFraction
    : check.isPending
      ? check.sentFraction
      : undefined;
  const pages = serverFill.data ?? checked;
  // Without any value the template is shown unfilled.
  const completed = completeValues(previewValues, fields.map(structuredField));
  const shownValues = Object.values(completed).some((value) => !isEmptyValue(value)) ? completed : undefined;
  return (
    <>
      <header className={classes['header']}>
        <h1>{pageTitle}</h1>
        <p>{edited ? <bdi>{edited.title}</bdi> : texts.lead}</p>
        {listed && <Link to={paths.create}>{t('severalFiles.back')}</Link>}
      </header>
      {name !== null && <UnfinishedTemplates owner={owner} name={name} isShown={!hasChanges} />}
      <form {...form.formProps} className={classes['columns']}>
        <Stack gap="lg" className={classes['sheet'] ?? ''}>
          <div>
            <TextInput
              label={t('publish.documentTitle')}
              autoComplete="off"
              size="md"
              disabled={publish.isPending}
              {...form.inputProps('title')}
            />
            {area === 'catalogue' && <SameTitleNote title={title} ownId={edited?._id} />}
          </div>
          <FileDrop
            file={file}
            pages={checked?.pages}
            onChoose={(chosen) => choose(chosen)}
            onChooseSeveral={onChooseSeveral && chooseSeveral}
            error={form.errorOf('file')}
            sentFraction={sentFraction}
            hint={edited ? t('publish.fileStays', { version: edited.templateVersion }) : undefined}
          />
          {!edited && !file && !listed && <GettingStarted onChoose={(sample) => choose(sample)} />}
          <CheckAlerts
            file={file}
            checked={checked}
            error={check.error}
            isDisabled={publish.isPending || check.isPending}
            lang={language ?? undefined}
            country={country}
            onRetry={isUnreadable ? null : (again) => checkFile(again, title)}
            onChoose={choose}
          />
          {hasConflict && replacedTemplate && (
            <EditConflict
              editedTemplate={replacedTemplate}
              base={{
                draft: initialDraft,
                overrides: storedOverrides,
                detected: renameFields(detectedSettings(replacedTemplate.settings), checked ? renamed : {}),
              }}
              mine={{ draft, overrides: overrides ?? storedOverrides, detected }}
              file={file}
              validRenames={validRenames}
              onSave={saveMergedState}
              onUseNewest={(newest) => {
                isDone.current = true;
                onUseNewest?.(newest);
              }}
            />
          )}
          {checked && <TemplateProblems checked={checked} file={file} />}
        </Stack>
        <TemplateFieldsColumn
          draft={draft}
          onDraftChange={form.change}
          file={file}
          checked={checked}
          hasErrors={hasErrors}
          edited={edited}
          renamed={renamed}
          onRename={setRenamed}
          detected={detected}
          overrides={shownOverrides}
          onOverridesChange={setOverrides}
          fields={fields}
          inputProps={inputProps}
          previewValues={previewValues}
          onPreviewChange={setPreviewValues}
          serverFill={isUnsupported ? serverFill : null}
          disabled={publish.isPending}
        />
        <Stack gap="lg" className={classes['pages'] ?? ''}>
          <PublishAlerts
            error={hasConflict ? null : publish.error}
            isIncomplete={isIncomplete}
            isEdit={edited !== null}
          />
          <PublishButtons
            isDisabled={hasErrors || isUnreadable || check.isPending || (edited !== null && !hasChanges)}
            isPending={publish.isPending}
            edited={edited}
          />
          {pages && checked ? (
            <TemplatePages
              checked={checked}
              pdf={pages.pdf}
              values={shownValues}
              pagesProps={pagesProps}
              onUnsupported={() => setUnsupported(true)}
              title={title}
              lang={language ?? undefined}
            />
          ) : (
            edited && !file && <CurrentTemplatePages template={edited} />
          )}
        </Stack>
      </form>
      <LeaveGuard
        hasUnsavedChanges={() => (hasChanges && !isDone.current) || losesFiles()}
        onDiscard={() => undefined}
        {...(name !== null &&
          !losesFiles() && {
            keptQuestion: {
              title: texts.leaveTitle,
              text: texts.leaveText,
              confirm: t('publish.leave'),
            },
          })}
      />
    </>
  );
}
