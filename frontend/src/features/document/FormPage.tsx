import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import { useKnownAnswers } from '@/shared/answers/useKnownAnswers';
import { EMPTY_DRAFT } from '@/shared/drafts';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { useOwner } from '@/shared/personal/owner';
import { LivePages } from '@/shared/pages/LivePages';
import type { OpenSaved } from '@/shared/saved/calls';
import { savedPath } from '@/shared/saved/paths';
import { useKnownSaved, useSaved } from '@/shared/saved/useSaved';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { LawNote } from '@/shared/ui/LawNote';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { EditNotices } from './EditNotices';
import { FieldForm } from './FieldForm';
import classes from './FormPage.module.css';
import { useDocument, useKnownDocument, type OpenDocument } from '@/shared/documents/useDocument';
import { useDraft } from './useDraft';
import {
  draftKey,
  editDraft,
  headingOf,
  previewPath,
  resultPath,
  useWorkInAddress,
  versionOf,
  type TemplateWork,
  type Work,
} from './work';

/** The form of a template or of a saved document, with its pages next to it. */
export function FormPage() {
  const work = useWorkInAddress();
  const owner = useOwner();
  if (!work) return <Navigate to="/user-home" replace />;
  return work.kind === 'edit' ? (
    <EditForm key={`${owner} ${work.savedId}`} work={work} id={work.savedId} />
  ) : (
    <NewForm key={`${owner} ${work.templateId}`} work={work} />
  );
}

function NewForm({ work }: { work: TemplateWork }) {
  const { t } = useTranslation();
  const id = work.templateId;
  const { data, error, refetch } = useDocument(id);
  const known = useKnownDocument(id);
  const document = data?.document ?? known;
  usePageTitle(document ? `${t('form.title')} · ${document.title}` : t('form.title'));

  if (error && !data) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={document}
        step={work.kind === 'trial' ? t('templates.trial') : t('form.title')}
        back={{ to: previewPath(work), label: t('form.template') }}
      />
      {work.kind === 'new' && <LawNote country={document?.country} />}
      {data ? (
        <NewFields work={work} data={data} />
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

function NewFields({ work, data: { document, help, docx, pdf } }: { work: Work; data: OpenDocument }) {
  const { name, ...form } = useDraft(draftKey(work), EMPTY_DRAFT);
  const generate = useGenerate(work, document._id, name);
  const [lang, country] = [document.language.code, document.country?._id ?? null];
  // A preview by an admin neither uses nor saves answers.
  const trial = work.kind === 'trial';
  const known = useKnownAnswers(!trial);
  const { toInput, toPages } = useLinkedFields(help, lang, country);
  return (
    <Columns
      form={
        <FieldForm
          {...toInput}
          help={help}
          lang={lang}
          country={country}
          draft={form.draft}
          change={form.change}
          elsewhere={form.elsewhere}
          known={trial ? null : known}
          onGenerate={generate}
        />
      }
      pages={
        <LivePages
          {...toPages}
          docx={docx}
          pdf={pdf}
          values={form.draft.values}
          blank={form.draft.blank}
          title={document.title}
          lang={lang}
          picture={document.thumbnail}
        />
      }
    />
  );
}

function EditForm({ work, id }: { work: Work; id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useSaved(id);
  const known = useKnownSaved(id);
  const document = data?.document ?? known;
  usePageTitle(document ? `${t('form.editTitle')} · ${document.title}` : t('form.editTitle'));

  if (error && !data) return <DocumentFailure saved error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={document && headingOf(document)}
        step={t('form.editTitle')}
        back={{ to: savedPath(id), label: t('form.savedDocument') }}
      />
      {data ? (
        <EditFields work={work} saved={data} />
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

function EditFields({ work, saved }: { work: Work; saved: OpenSaved }) {
  const initial = useMemo(() => editDraft(saved), [saved]);
  const { name, ...form } = useDraft(draftKey(work), initial);
  const { document } = saved;
  const { template } = document;
  const { help, isNewer } = versionOf(saved, form.draft);
  // The pages next to the form belong to the template version that is being filled: the document's own, or the
  // newer one. The file of a replaced version is not available, so its pages are shown as they were saved.
  const filled = useDocument(isNewer || !saved.newer ? template._id : null);
  const version = isNewer ? saved.newer?.templateVersion : template.templateVersion;
  const docx = docxOf(filled, version, isNewer || !saved.newer);
  const known = useKnownAnswers();
  const [lang, country] = [template.language.code, template.country?._id ?? null];
  const { toInput, toPages } = useLinkedFields(help, lang, country);
  const generate = useGenerate(work, template._id, name);
  return (
    <Columns
      form={
        <FieldForm
          {...toInput}
          help={help}
          lang={lang}
          country={country}
          draft={form.draft}
          change={form.change}
          elsewhere={form.elsewhere}
          known={known}
          onGenerate={generate}
        >
          <EditNotices saved={saved} draft={form.draft} change={form.change} discard={form.discard} />
        </FieldForm>
      }
      pages={
        <LivePages
          {...toPages}
          docx={docx}
          pdf={isNewer ? filled.data?.pdf : saved.pdf}
          values={form.draft.values}
          blank={form.draft.blank}
          title={document.title}
          lang={lang}
          picture={isNewer ? filled.data?.document.thumbnail : document.thumbnail}
        />
      }
    />
  );
}

/** Returns the file of a template's version: undefined while it is loading, null if it is not available. */
function docxOf(
  { data, error }: ReturnType<typeof useDocument>,
  version: number | undefined,
  asked: boolean,
) {
  if (!asked || (error && !data)) return null;
  if (!data) return undefined;
  return data.document.templateVersion === version ? data.docx : null;
}

/** Names the state of the form, and navigates to the result. */
function useGenerate(work: Work, templateId: string, name: () => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return () => {
    name();
    queries.removeQueries({ queryKey: ['filled', templateId] });
    void navigate(resultPath(work));
  };
}

function Columns({ form, pages }: { form: ReactNode; pages: ReactNode }) {
  return (
    <div className={classes['columns']}>
      {form}
      <div className={classes['pages']}>{pages}</div>
    </div>
  );
}
