import { Alert, Button, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import {
  EMPTY_DRAFT,
  readDraft,
  removeDraft,
  writeDraft,
  writeDraftTitle,
  type Draft,
} from '@/shared/drafts';
import { structuredField, type FieldSettings } from '@/shared/fields/fieldSettings';
import { pathLabel } from '@/shared/fields/pathLabel';
import { DOCX_TYPE, saveFile, showAndSavePdf } from '@/shared/files';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { currentOwner, useOwner } from '@/shared/personal/owner';
import { LIMITS } from '@/shared/settings';
import { LivePages } from '@/shared/pages/LivePages';
import { DASHBOARD_PATH, HOME_PATH, LOGIN_PATH, REGISTER_PATH, SAVED_DOCUMENTS_PATH } from '@/shared/paths';
import { useSavedDocument } from '@/shared/savedDocuments/useSavedDocument';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { DocumentHeader, type DocumentHeading } from '@/shared/ui/DocumentHeader';
import { Failure } from '@/shared/ui/Failure';
import { DiagnosticList } from '@/shared/ui/DiagnosticList';
import { DownloadIcon, EditIcon } from '@/shared/ui/icons';
import { Isolated } from '@/shared/ui/Isolated';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { emptyFields } from './FormProgress';
import { LoginRequiredDialog } from './LoginRequiredDialog';
import classes from './ResultPage.module.css';
import { isOwnTemplateId, MY_TEMPLATES_KEY } from '@/shared/templates/ownTemplates';
import { useTemplate } from '@/shared/templates/useTemplate';
import { useFilledDocument, type FillTarget } from './useFilledDocument';
import { storedSections, valuesOfShownFields } from './storedSections';
import { useSaveDocument } from './useSaveDocument';
import {
  draftKey,
  formPath,
  documentHeading,
  previewPath,
  resultPath,
  useFillTask,
  filledVersion,
  type TemplateTask,
  type FillTask,
} from './fillTask';

/** The finished pages, and the actions for them. */
export function ResultPage() {
  const task = useFillTask();
  const owner = useOwner();
  if (!task) return <Navigate to={HOME_PATH} replace />;
  return task.kind === 'edit' ? (
    <EditResult key={`${owner} ${task.savedId}`} task={task} id={task.savedId} />
  ) : (
    <NewResult key={`${owner} ${task.templateId}`} task={task} />
  );
}

function NewResult({ task }: { task: TemplateTask }) {
  const id = task.templateId;
  const [draft] = useState(() => readDraft(draftKey(task)) ?? EMPTY_DRAFT);
  const { data, error, refetch } = useTemplate(id);
  const { template } = data ?? {};

  if (!draft.filling) return <Navigate to={formPath(task)} replace />;
  if (error && !template) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  const target: FillTarget | undefined = data && {
    templateId: data.template._id,
    title: data.template.title,
    lang: data.template.language.code,
    fields: data.settings.map(structuredField),
    isTest: task.kind === 'test',
    edit: null,
  };
  return <Result task={task} draft={draft} heading={template} target={target} settings={data?.settings} />;
}

function EditResult({ task, id }: { task: FillTask; id: string }) {
  const [draft] = useState(() => readDraft(draftKey(task)) ?? EMPTY_DRAFT);
  const { data: saved, error, refetch } = useSavedDocument(id);

  const { filling, edit } = draft;
  if (!filling || !edit) return <Navigate to={formPath(task)} replace />;
  if (error && !saved) return <DocumentFailure isSaved error={error} onRetry={() => void refetch()} />;
  if (!saved)
    return <Result task={task} draft={draft} heading={undefined} target={undefined} settings={undefined} />;
  const { document } = saved;
  const { settings, templateVersion } = filledVersion(saved, draft.edit?.templateVersion);
  const title = edit.title.trim();
  const target: FillTarget = {
    templateId: document.template._id,
    title,
    lang: document.template.language.code,
    fields: settings.map(structuredField),
    edit: { savedDocumentId: id, version: edit.version, title, templateVersion },
  };
  return (
    <Result
      task={task}
      draft={draft}
      heading={{ ...documentHeading(document), title }}
      target={target}
      settings={settings}
    />
  );
}

interface ResultProps {
  task: FillTask;
  draft: Draft;
  /** Undefined while it is not known. */
  heading: DocumentHeading | undefined;
  target: FillTarget | undefined;
  /** The settings of each field. */
  settings: FieldSettings[] | undefined;
}

function Result({ task, draft, heading, target, settings }: ResultProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const filledQuery = useFilledDocument(target, draft);
  /** The title under which a new document is saved; null while it is the template's. */
  const [ownTitle, setOwnTitle] = useState(draft.title ?? null);
  const saveTitle = ownTitle ?? heading?.title ?? '';
  const saving = useSaveDocument(task, draft, target, saveTitle);
  const { data, error } = filledQuery;
  const sections = storedSections(queryClient, task);
  // A derived field is empty only if its sources are.
  const emptyCount = emptyFields(settings ?? [], draft.values, sections, {}).empty.filter(
    ({ derivation }) => !derivation,
  ).length;
  const missingValues = valuesOfShownFields(
    data?.missingValues ?? [],
    settings ?? [],
    draft.values,
    sections,
  );
  usePageTitle(heading ? `${t('result.title')} · ${heading.title}` : t('result.title'));

  // The use count has changed, so lists are loaded again when they are opened next.
  const isGenerated = data !== undefined;
  useEffect(() => {
    if (!isGenerated) return;
    void queryClient.invalidateQueries({ queryKey: ['documents'] });
    void queryClient.invalidateQueries({ queryKey: MY_TEMPLATES_KEY });
  }, [isGenerated, queryClient]);

  const cancel = () => {
    if (task.kind !== 'edit') {
      const isOwn = isOwnTemplateId(task.templateId);
      void navigate(task.kind === 'test' || isOwn ? previewPath(task) : DASHBOARD_PATH);
      return;
    }
    const key = draftKey(task);
    const owner = currentOwner();
    removeDraft(key, owner);
    void navigate(SAVED_DOCUMENTS_PATH);
    undoToast(t('result.editDiscarded'), t('undo'), () => {
      void writeDraft(key, draft, owner);
      void navigate(resultPath(task));
    });
  };

  const saveButton = (
    <Button
      variant={task.kind === 'edit' ? 'filled' : 'default'}
      disabled={!target || saving.isPending || saving.needsDecision}
      loading={saving.busy}
      onClick={saving.save}
    >
      {saving.isPending ? t('result.saveWaits') : t('result.save')}
    </Button>
  );

  return (
    <>
      <DocumentHeader
        document={heading}
        pages={data?.pages ?? null}
        step={task.kind === 'test' ? t('templates.trialResult') : t('result.title')}
        actions={
          <>
            {emptyCount > 0 && (
              <Text size="sm" c="dimmed" className={classes['empty'] ?? ''}>
                {t('form.empty', { count: emptyCount })}
              </Text>
            )}
            <Button variant="subtle" onClick={cancel}>
              {t('cancel')}
            </Button>
            <LinkButton to={formPath(task)} variant="default" leftSection={<EditIcon />}>
              {t('result.edit')}
            </LinkButton>
            {task.kind === 'edit' && saveButton}
            <Button
              variant="default"
              leftSection={<DownloadIcon />}
              disabled={!data}
              onClick={() => data && saveFile(data.docx, `${data.fileName}.docx`, DOCX_TYPE)}
            >
              {t('result.downloadWord')}
            </Button>
            <Button
              variant={task.kind === 'edit' ? 'default' : 'filled'}
              leftSection={<DownloadIcon />}
              disabled={!data}
              onClick={() => data && showAndSavePdf(data.pdf, `${data.fileName}.pdf`)}
            >
              {t('result.downloadPdf')}
            </Button>
          </>
        }
      />
      {task.kind === 'new' && (
        <div className={classes['saving']}>
          <TextInput
            className={classes['title'] ?? ''}
            label={t('result.saveAs')}
            maxLength={LIMITS.titleCharacters}
            autoComplete="off"
            disabled={saving.busy || saving.isPending}
            value={saveTitle}
            onChange={({ currentTarget: { value } }) => {
              setOwnTitle(value);
              void writeDraftTitle(draftKey(task), value);
            }}
          />
          {saveButton}
        </div>
      )}
      {error && !data ? (
        <Failure
          title={t('result.failed')}
          hint={errorText(error)}
          onRetry={() => void filledQuery.refetch()}
        >
          <LinkButton to={formPath(task)}>{t('result.toForm')}</LinkButton>
        </Failure>
      ) : (
        <>
          <VisuallyHidden component="p" role="status">
            {data ? t('result.title') : t('result.generating')}
          </VisuallyHidden>
          {missingValues.length > 0 && (
            <Alert
              className={classes['unsaid'] ?? ''}
              variant="light"
              title={t('derived.leftEmpty', { count: missingValues.length })}
            >
              <ul>
                {missingValues.map(({ field, why }) => (
                  <li key={field}>
                    <Trans
                      i18nKey="derived.because"
                      values={{ reason: t(`derived.unsaid.${why}`) }}
                      components={{
                        field: <Isolated lang={target?.lang} text={pathLabel(settings ?? [], field, t)} />,
                      }}
                    />
                  </li>
                ))}
              </ul>
              <LinkButton to={formPath(task)} variant="default" size="xs" leftSection={<EditIcon />}>
                {t('result.edit')}
              </LinkButton>
            </Alert>
          )}
          <LivePages
            docx={data?.docx}
            pdf={data?.pdf}
            title={heading?.title ?? ''}
            lang={target?.lang}
            country={heading?.country?._id}
          />
          {data && data.warnings.length > 0 && (
            <details className={classes['warnings']}>
              <summary>{t('result.warnings')}</summary>
              <DiagnosticList diagnostics={data.warnings} />
            </details>
          )}
        </>
      )}
      <LoginRequiredDialog
        opened={saving.loginRequired}
        onRegister={() => saving.logIn(REGISTER_PATH)}
        onLogin={() => saving.logIn(LOGIN_PATH)}
        onCancel={saving.cancelLogin}
      />
    </>
  );
}
