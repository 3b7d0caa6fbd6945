import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';

import { ApiError } from '@/api/error';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useLanguageName } from '@/shared/lookups';
import { PdfPages } from '@/shared/pdf/PdfPages';
import { Failure } from '@/shared/ui/Failure';
import { LinkButton } from '@/shared/ui/LinkButton';
import { BackIcon, EditIcon } from '@/shared/ui/icons';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './DocumentPage.module.css';
import { startDraft } from './draft';
import { useTemplate } from './useTemplate';

const CATALOGUE = '/user-home/user-all-documents';

/** A template as it will be printed, and what it asks for (specification §2, `/document/{id}`). */
export function PreviewPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const languageName = useLanguageName();
  const { data, error, refetch } = useTemplate(id);
  const template = data?.document;
  usePageTitle(template?.title);

  if (error) {
    const gone = error instanceof ApiError && error.status === 404;
    return (
      <Failure
        title={gone ? t('preview.notFound') : t('preview.failed')}
        hint={gone ? t('preview.notFoundHint') : errorText(error)}
        onRetry={gone ? undefined : () => void refetch()}
      >
        <LinkButton to={CATALOGUE} variant="default">
          {t('preview.toCatalogue')}
        </LinkButton>
      </Failure>
    );
  }

  const generate = () => {
    if (!template) return;
    startDraft(template);
    void navigate('/user-home/form-document');
  };

  return (
    <>
      <header className={classes['head']}>
        <div className={classes['title']}>
          {template ? (
            <>
              <h1 dir="auto" lang={template.language.code}>
                {template.title}
              </h1>
              <p className={classes['meta']}>
                <span>{languageName(template.language)}</span>
                {template.country && <span>{template.country.name}</span>}
                <span>{t('pages', { count: template.pages })}</span>
                <span>{t('downloads', { count: template.usageCount })}</span>
              </p>
            </>
          ) : (
            <Skeleton height={36} width={320} aria-label={t('loading')} role="status" />
          )}
        </div>
        <div className={classes['actions']}>
          <LinkButton to={CATALOGUE} variant="default" leftSection={<BackIcon />}>
            {t('preview.toCatalogue')}
          </LinkButton>
          <Button leftSection={<EditIcon />} disabled={!template} onClick={generate}>
            {t('preview.generate')}
          </Button>
        </div>
      </header>
      <div className={classes['columns']}>
        <PdfPages data={data?.pdf} title={template?.title ?? ''} lang={template?.language.code} />
        {template && template.fields.length > 0 && (
          <aside className={classes['aside']}>
            <h2>{t('preview.whatYouFill')}</h2>
            <p className={classes['meta']}>{t('fields', { count: template.fields.length })}</p>
            <ul className={classes['names']} lang={template.language.code}>
              {template.fields.map((name) => (
                <li key={name} dir="auto">
                  {name}
                </li>
              ))}
            </ul>
          </aside>
        )}
      </div>
    </>
  );
}
