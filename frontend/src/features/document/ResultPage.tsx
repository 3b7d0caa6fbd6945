import { Alert, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import type { FieldHelp } from '@/api/types';
import { EMPTY_DRAFT, readDraft, removeDraft, writeDraft, type Draft } from '@/shared/drafts';
import { DOCX_TYPE, saveFile, showAndSavePdf } from '@/shared/files';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { currentOwner, useOwner } from '@/shared/personal/owner';
import { LivePages } from '@/shared/pages/LivePages';
import { MY_DOCUMENTS } from '@/shared/saved/paths';
import { useSaved } from '@/shared/saved/useSaved';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { DocumentHeader, type Heading } from '@/shared/ui/DocumentHeader';
import { Failure } from '@/shared/ui/Failure';
import { FindingList } from '@/shared/ui/FindingList';
import { DownloadIcon, EditIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { LoginRequired } from './LoginRequired';
import classes from './ResultPage.module.css';
import { useDocument } from '@/shared/documents/useDocument';
import { useFilled, type Subject } from './useFilled';
import { useSaving } from './useSaving';
import {
  draftKey,
  formPath,
  headingOf,
  previewPath,
  resultPath,
  useWorkInAddress,
  versionOf,
  type TemplateWork,
  type Work,
} from './work';

/** The finished pages, and the actions for them. */
export function ResultPage() {
  const work = useWorkInAddress();
  const owner = useOwner();
  if (!work) return <Navigate to="/user-home" replace />;
  return work.kind === 'edit' ? (
    <EditResult key={`${owner} ${work.savedId}`} work={work} id={work.savedId} />
  ) : (
    <NewResult key={`${owner} ${work.templateId}`} work={work} />
  );
}

function NewResult({ work }: { work: TemplateWork }) {
  const id = work.templateId;
  const [draft] = useState(() => readDraft(draftKey(work)) ?? EMPTY_DRAFT);
  const { data, error, refetch } = useDocument(id);
  const { document } = data ?? {};

  if (!draft.filling) return <Navigate to={formPath(work)} replace />;
  if (error && !document) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  const subject: Subject | undefined = document && {
    templateId: document._id,
    title: document.title,
    lang: document.language.code,
    fields: document.fields,
    trial: work.kind === 'trial',
    edit: null,
  };
  return <Result work={work} draft={draft} heading={document} subject={subject} help={data?.help} />;
}

function EditResult({ work, id }: { work: Work; id: string }) {
  const [draft] = useState(() => readDraft(draftKey(work)) ?? EMPTY_DRAFT);
  const { data: saved, error, refetch } = useSaved(id);

  const { filling, edit } = draft;
  if (!filling || !edit) return <Navigate to={formPath(work)} replace />;
  if (error && !saved) return <DocumentFailure saved error={error} onRetry={() => void refetch()} />;
  if (!saved)
    return <Result work={work} draft={draft} heading={undefined} subject={undefined} help={undefined} />;
  const { document } = saved;
  const { fields, help, templateVersion } = versionOf(saved, draft);
  const title = edit.title.trim();
  const subject: Subject = {
    templateId: document.template._id,
    title,
    lang: document.template.language.code,
    fields,
    edit: { savedDocumentId: id, version: edit.version, title, templateVersion },
  };
  return (
    <Result
      work={work}
      draft={draft}
      heading={{ ...headingOf(document), title }}
      subject={subject}
      help={help}
    />
  );
}

interface FinishedProps {
  work: Work;
  draft: Draft;
  /** Undefined while it is not known. */
  heading: Heading | undefined;
  subject: Subject | undefined;
  /** The settings of each field. */
  help: FieldHelp[] | undefined;
}

function Result({ work, draft, heading, subject, help }: FinishedProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const filled = useFilled(subject, draft);
  const saving = useSaving(work, draft, subject);
  const { data, error } = filled;
  usePageTitle(heading ? `${t('result.title')} · ${heading.title}` : t('result.title'));

  // The use count has changed, so lists are loaded again when they are opened next.
  const done = data !== undefined;
  useEffect(() => {
    if (done) void queries.invalidateQueries({ queryKey: ['documents'] });
  }, [done, queries]);

  const cancel = () => {
    if (work.kind !== 'edit') {
      void navigate(work.kind === 'trial' ? previewPath(work) : '/');
      return;
    }
    const key = draftKey(work);
    const owner = currentOwner();
    removeDraft(key, owner);
    void navigate(MY_DOCUMENTS);
    undoToast(t('result.editDiscarded'), t('undo'), () => {
      void writeDraft(key, draft, owner);
      void navigate(resultPath(work));
    });
  };

  return (
    <>
      <DocumentHeader
        document={heading}
        pages={data?.pages ?? null}
        step={work.kind === 'trial' ? t('templates.trialResult') : t('result.title')}
        back={{ to: formPath(work), label: t('result.toForm') }}
        actions={
          <>
            <Button variant="subtle" onClick={cancel}>
              {t('cancel')}
            </Button>
            <LinkButton to={formPath(work)} variant="default" leftSection={<EditIcon />}>
              {t('result.edit')}
            </LinkButton>
            {work.kind !== 'trial' && (
              <Button
                variant={work.kind === 'edit' ? 'filled' : 'default'}
                disabled={!subject || saving.waits || saving.undecided}
                loading={saving.busy}
                onClick={saving.save}
              >
                {saving.waits ? t('result.saveWaits') : t('result.save')}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<DownloadIcon />}
              disabled={!data}
              onClick={() => data && saveFile(data.docx, `${data.fileName}.docx`, DOCX_TYPE)}
            >
              {t('result.downloadWord')}
            </Button>
            <Button
              variant={work.kind === 'edit' ? 'default' : 'filled'}
              leftSection={<DownloadIcon />}
              disabled={!data}
              onClick={() => data && showAndSavePdf(data.pdf, `${data.fileName}.pdf`)}
            >
              {t('result.downloadPdf')}
            </Button>
          </>
        }
      />
      {error && !data ? (
        <Failure title={t('result.failed')} hint={errorText(error)} onRetry={() => void filled.refetch()}>
          <LinkButton to={formPath(work)}>{t('result.toForm')}</LinkButton>
        </Failure>
      ) : (
        <>
          <p className="heard" role="status">
            {data ? t('result.title') : t('result.generating')}
          </p>
          {data && data.unsaid.length > 0 && (
            <Alert
              className={classes['unsaid'] ?? ''}
              variant="light"
              title={t('derived.leftEmpty', { count: data.unsaid.length })}
            >
              <ul>
                {data.unsaid.map(({ field, why }) => (
                  <li key={field}>
                    <bdi lang={subject?.lang}>{help?.find((one) => one.field === field)?.label || field}</bdi>
                    {t('derived.because')}
                    {t(`derived.unsaid.${why}`)}
                  </li>
                ))}
              </ul>
              <LinkButton to={formPath(work)} variant="default" size="xs" leftSection={<EditIcon />}>
                {t('result.edit')}
              </LinkButton>
            </Alert>
          )}
          <LivePages docx={data?.docx} pdf={data?.pdf} title={heading?.title ?? ''} lang={subject?.lang} />
          {data && data.warnings.length > 0 && (
            <details className={classes['warnings']}>
              <summary>{t('result.warnings')}</summary>
              <FindingList findings={data.warnings} />
            </details>
          )}
        </>
      )}
      <LoginRequired opened={saving.loginRequired} onLogin={saving.logIn} onCancel={saving.cancelLogin} />
    </>
  );
}
