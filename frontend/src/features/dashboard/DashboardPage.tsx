import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { responseBody, api } from '@/api/client';
import type { Template } from '@/api/types';
import { formatDate, formatNumber } from '@/shared/i18n/format';
import { directionOf } from '@/shared/i18n/language';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { CREATE_TEMPLATE_PATH, templatePath } from '@/shared/paths';
import { Failure } from '@/shared/ui/Failure';
import { PlusIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { ChartSheet } from './ChartSheet';
import classes from './DashboardPage.module.css';

/** The dashboard: usage numbers, and the templates that may need an admin's attention. */
export function DashboardPage() {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  usePageTitle(t('dashboard.title'));
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', i18n.language],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents/getDashboardData', { signal })),
    select: (response) => response.data,
  });
  const rtl = directionOf(i18n.language) === 'rtl';
  return (
    <div className={`${classes['dashboard']}${rtl ? ' rtl' : ''}`}>
      <h1>{t('dashboard.heading')}</h1>
      {error && !data ? (
        <Failure title={t('dashboard.failed')} hint={errorText(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          <dl className={classes['cards']}>
            <Stat title={t('dashboard.totalUsers')} value={data?.totalUsers} />
            <Stat title={t('dashboard.totalDocuments')} value={data?.totalDocuments} />
            <Stat title={t('dashboard.totalDownloads')} value={data?.totalDownloads} />
          </dl>
          <ChartSheet
            title={t('dashboard.users')}
            hint={t('dashboard.usersHint')}
            line="users"
            months={data?.usersByMonth}
          />
          <ChartSheet
            title={t('dashboard.downloads')}
            hint={t('dashboard.downloadsHint')}
            line="downloads"
            months={data?.downloadsByMonth}
          />
          {data && (
            <div className={classes['lists']}>
              <TopTemplates templates={data.topDocuments} />
              <UnusedTemplates templates={data.unusedDocuments} total={data.totalUnusedDocuments} />
            </div>
          )}
        </>
      )}
      <div className={classes['end']}>
        <LinkButton to={CREATE_TEMPLATE_PATH} leftSection={<PlusIcon />}>
          {t('createDocument')}
        </LinkButton>
      </div>
    </div>
  );
}

function Stat({ title, value }: { title: string; value: number | undefined }) {
  const locale = useFormattingLocale();
  return (
    <div className={classes['card']}>
      <dt>{title}</dt>
      <dd>{value === undefined ? '–' : formatNumber(value, locale)}</dd>
    </div>
  );
}

function TopTemplates({ templates }: { templates: Template[] }) {
  const { t } = useTranslation();
  return (
    <TemplateList title={t('dashboard.top')} empty={t('dashboard.topEmpty')} templates={templates}>
      {({ usageCount }) => t('downloads', { count: usageCount })}
    </TemplateList>
  );
}

function UnusedTemplates({ templates, total }: { templates: Template[]; total: number }) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  return (
    <TemplateList
      title={t('dashboard.unused')}
      note={total > templates.length ? t('dashboard.unusedTotal', { count: total }) : undefined}
      empty={t('dashboard.unusedEmpty')}
      templates={templates}
    >
      {({ createdAt }) => t('dashboard.unusedSince', { date: formatDate(createdAt, locale) })}
    </TemplateList>
  );
}

interface TemplateListProps {
  title: string;
  note?: string | undefined;
  /** The text for an empty list. */
  empty: string;
  templates: Template[];
  children: (document: Template) => ReactNode;
}

function TemplateList({ title, note, empty, templates, children }: TemplateListProps) {
  return (
    <section className={classes['list']}>
      <h2>{title}</h2>
      {note && <p className={classes['hint']}>{note}</p>}
      {templates.length === 0 ? (
        <p className={classes['hint']}>{empty}</p>
      ) : (
        <ol>
          {templates.map((document) => (
            <li key={document._id}>
              <Link to={templatePath(document._id)} lang={document.language.code}>
                <bdi>{document.title}</bdi>
              </Link>
              <span>{children(document)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
