import { useQueryClient } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import { useSavedAnswers } from '@/shared/savedAnswers/useSavedAnswers';
import { EMPTY_DRAFT, type Draft } from '@/shared/drafts';
import { pageValues, type FieldSettings } from '@/shared/fields/fieldSettings';
import { useSelection, type FormStore } from '@/shared/fields/formStore';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';
import type { FieldValues } from '@/shared/fields/values';
import { useOwner } from '@/shared/personal/owner';
import { LivePages, type LivePagesProps } from '@/shared/pages/LivePages';
import { HOME_PATH, savedDocumentPath } from '@/shared/paths';
import type { OpenSavedDocument } from '@/shared/savedDocuments/openSavedDocument';
import { useListedSavedDocument, useSavedDocument } from '@/shared/savedDocuments/useSavedDocument';
import { useStore } from '@/shared/store';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { ForeignLawNote } from '@/shared/ui/ForeignLawNote';
import { usePageTitle } from '@/shared/ui/usePageTitle';
import { useStableCallback } from '@/shared/ui/useStableCallback';

import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { EditNotices, type EditNoticesProps } from './EditNotices';
import { FieldForm } from './FieldForm';
import classes from './FormPage.module.css';
import { isOwnTemplateId } from '@/shared/templates/ownTemplates';
import { useTemplate, useListedTemplate, type OpenTemplate } from '@/shared/templates/useTemplate';
import { useKnownSections, useStoreSections } from './storedSections';
import { useDraft } from './useDraft';
import {
  draftKey,
  initialEditDraft,
  documentHeading,
  previewPath,
  resultPath,
  useFillTask,
  filledVersion,
  type TemplateTask,
  type FillTask,
} from './fillTask';

/** The form of a template or of a saved document, with its pages next to it. */
export function FormPage() {
  const task = useFillTask();
  const owner = useOwner();
  if (!task) return <Navigate to={HOME_PATH} replace />;
  return task.kind === 'edit' ? (
    <EditForm key={`${owner} ${task.savedId}`} task={task} id={task.savedId} />
  ) : (
    <NewForm key={`${owner} ${task.templateId}`} task={task} />
  );
}

function NewForm({ task }: { task: TemplateTask }) {
  const { t } = useTranslation();
  const id = task.templateId;
  const { data, error, refetch } = useTemplate(id);
  const listed = useListedTemplate(id);
  const document = data?.template ?? listed;
  usePageTitle(document ? `${t('form.title')} · ${document.title}` : t('form.title'));

  if (error && !data) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={document}
        step={task.kind === 'test' ? t('templates.trial') : t('form.title')}
        back={{
          to: previewPath(task),
          label: isOwnTemplateId(id) ? t('myTemplates') : t('form.template'),
        }}
      />
      {task.kind === 'new' && <ForeignLawNote country={document?.country} />}
      {data ? (
        <NewFields task={task} data={data} />
      ) : (
        <Columns
          form={<div className={classes['form']} aria-busy="true" />}
          pages={
            <LivePages
              docx={undefined}
              pdf={undefined}
              title={document?.title ?? ''}
              lang={document?.language.code}
              picture={document?.thumbnail}
            />
          }
        />
      )}
    </>
  );
}

function NewFields({
  task,
  data: { template, settings, docx, pdf },
}: {
  task: FillTask;
  data: OpenTemplate;
}) {
  const { form, elsewhere } = useDraft(draftKey(task), EMPTY_DRAFT);
  const generate = useGenerate(task, template._id, form.assignFillingKey);
  const [lang, country] = [template.language.code, template.country?._id ?? null];
  // A test fill neither uses nor saves answers.
  const isTest = task.kind === 'test';
  const savedAnswers = useSavedAnswers(!isTest);
  const { inputProps, pagesProps } = useLinkedFields(settings, lang, country, useKnownSections(task));
  useStoreSections(task, inputProps.sections);
  return (
    <Columns
      form={
        <FieldForm
          {...inputProps}
          settings={settings}
          lang={lang}
          country={country}
          form={form}
          changedElsewhere={elsewhere}
          savedAnswers={isTest ? null : savedAnswers}
          isTest={isTest}
          onGenerate={generate}
        />
      }
      pages={
        <DraftPages
          {...pagesProps}
          draft={form.draft}
          settings={settings}
          docx={docx}
          pdf={pdf}
          title={template.title}
          lang={lang}
          picture={template.thumbnail}
        />
      }
    />
  );
}

function EditForm({ task, id }: { task: FillTask; id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useSavedDocument(id);
  const listed = useListedSavedDocument(id);
  const document = data?.document ?? listed;
  usePageTitle(document ? `${t('form.editTitle')} · ${document.title}` : t('form.editTitle'));

  if (error && !data) return <DocumentFailure isSaved error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={document && documentHeading(document)}
        step={t('form.editTitle')}
        back={{ to: savedDocumentPath(id), label: t('form.savedDocument') }}
      />
      {data ? (
        <EditFields task={task} saved={data} />
      ) : (
        <Columns
          form={<div className={classes['form']} aria-busy="true" />}
          pages={
            <LivePages
              docx={undefined}
              pdf={undefined}
              title={document?.title ?? ''}
              lang={document?.template.language.code}
              picture={document?.thumbnail}
            />
          }
        />
      )}
    </>
  );
}

function EditFields({ task, saved }: { task: FillTask; saved: OpenSavedDocument }) {
  const initial = useMemo(() => initialEditDraft(saved), [saved]);
  const { form, elsewhere } = useDraft(draftKey(task), initial);
  const { document } = saved;
  const { template } = document;
  const templateVersion = useSelection(form.draft, ({ edit }) => edit?.templateVersion);
  const { settings, isNewer } = useMemo(
    () => filledVersion(saved, templateVersion),
    [saved, templateVersion],
  );
  // The pages next to the form belong to the template version that is being filled: the document's own, or the
  // newer one. The file of a replaced version is not available, so its pages are shown as they were saved.
  const templateQuery = useTemplate(isNewer || !saved.newerVersion ? template._id : null);
  const version = isNewer ? saved.newerVersion?.templateVersion : template.templateVersion;
  const docx = docxOfVersion(templateQuery, version, isNewer || !saved.newerVersion);
  const savedAnswers = useSavedAnswers();
  const [lang, country] = [template.language.code, template.country?._id ?? null];
  const { inputProps, pagesProps } = useLinkedFields(settings, lang, country, useKnownSections(task));
  useStoreSections(task, inputProps.sections);
  const generate = useGenerate(task, template._id, form.assignFillingKey);
  // The same element again, so that the form is not rendered for it.
  const notices = useMemo(
    () => <DraftNotices saved={saved} draft={form.draft} change={form.change} discard={form.discard} />,
    [saved, form.draft, form.change, form.discard],
  );
  return (
    <Columns
      form={
        <FieldForm
          {...inputProps}
          settings={settings}
          lang={lang}
          country={country}
          form={form}
          changedElsewhere={elsewhere}
          savedAnswers={savedAnswers}
          onGenerate={generate}
        >
          {notices}
        </FieldForm>
      }
      pages={
        <DraftPages
          {...pagesProps}
          draft={form.draft}
          settings={settings}
          docx={docx}
          pdf={isNewer ? templateQuery.data?.pdf : saved.pdf}
          title={document.title}
          lang={lang}
          picture={isNewer ? templateQuery.data?.template.thumbnail : document.thumbnail}
        />
      }
    />
  );
}

interface DraftPagesProps extends Omit<LivePagesProps, 'values' | 'blank'> {
  draft: FormStore<Draft>;
  settings: readonly FieldSettings[];
}

/** The pages with the draft's values. They follow after the key is shown in its input. */
function DraftPages({ draft, settings, ...pagesProps }: DraftPagesProps) {
  const { values, blank } = useDeferredValue(useStore(draft));
  return <ValuePages {...pagesProps} settings={settings} values={values} blank={blank} />;
}

interface ValuePagesProps extends LivePagesProps {
  settings: readonly FieldSettings[];
  values: FieldValues;
}

const ValuePages = memo(function ValuePages({ settings, values, ...pagesProps }: ValuePagesProps) {
  return (
    <LivePages {...pagesProps} values={useMemo(() => pageValues(settings, values), [settings, values])} />
  );
});

function DraftNotices({ draft, ...props }: Omit<EditNoticesProps, 'draft'> & { draft: FormStore<Draft> }) {
  return <EditNotices {...props} draft={useDeferredValue(useStore(draft))} />;
}

/** Returns the file of a template's version: undefined while it is loading, null if it is not available. */
function docxOfVersion(
  { data, error }: ReturnType<typeof useTemplate>,
  version: number | undefined,
  isNeeded: boolean,
) {
  if (!isNeeded || (error && !data)) return null;
  if (!data) return undefined;
  return data.template.templateVersion === version ? data.docx : null;
}

/** Creates the idempotency key of the form, and navigates to the result. */
function useGenerate(task: FillTask, templateId: string, assignFillingKey: () => void) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useStableCallback(() => {
    assignFillingKey();
    queryClient.removeQueries({ queryKey: ['filled', templateId] });
    void navigate(resultPath(task));
  });
}

function Columns({ form, pages }: { form: ReactNode; pages: ReactNode }) {
  return (
    <div className={classes['columns']}>
      {form}
      <div className={classes['pages']}>{pages}</div>
    </div>
  );
}
