import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import { PdfPages } from '@/shared/pdf/PdfPages';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentFailure } from './DocumentFailure';
import { DocumentHeader } from './DocumentHeader';
import { FieldForm } from './FieldForm';
import classes from './FormPage.module.css';
import { useDocument } from './useDocument';
import { previewPath, resultPath, useDocumentInAddress } from './useDocumentInAddress';

/** The fields of a template, with its pages beside them. */
export function FormPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useDocumentInAddress();
  const { data, error, refetch } = useDocument(id);
  usePageTitle(data ? `${t('form.title')} · ${data.document.title}` : t('form.title'));

  if (!id) return <Navigate to="/user-home" replace />;
  if (error && !data) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={data?.document}
        step={t('form.title')}
        back={{ to: previewPath(id), label: t('form.template') }}
      />
      <div className={classes['columns']}>
        {data ? (
          <FieldForm
            key={data.document._id}
            document={data.document}
            onGenerate={() => {
              queries.removeQueries({ queryKey: ['filled', id] });
              void navigate(resultPath(id));
            }}
          />
        ) : (
          <div className={classes['form']} aria-busy="true" />
        )}
        <div className={classes['pages']}>
          <PdfPages data={data?.pdf} title={data?.document.title ?? ''} lang={data?.document.language.code} />
        </div>
      </div>
    </>
  );
}
