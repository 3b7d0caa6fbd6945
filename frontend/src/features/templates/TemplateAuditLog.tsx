import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { Template, TemplateAuditEvent } from '@/api/types';
import { formatDateTime } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel, useCountries, useLanguageName } from '@/shared/lookups';
import { Failure } from '@/shared/ui/Failure';

import classes from './AdminTemplatePage.module.css';

/** The audit log of a template. */
export function TemplateAuditLog({ template }: { template: Template }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const params = { path: { id: template._id } };
  const { data, error, refetch } = useQuery({
    queryKey: ['document', template._id, 'history', template.revision],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents/{id}/history', { params, signal })),
  });
  if (error)
    return (
      <Failure title={t('templates.historyFailed')} hint={errorText(error)} onRetry={() => void refetch()} />
    );
  if (!data) return <p role="status">{t('loading')}</p>;
  if (data.history.length === 0) return <p>{t('templates.noHistory')}</p>;
  return (
    <ol className={classes['entries']}>
      {data.history.map((entry, index) => (
        <AuditEvent key={index} entry={entry} />
      ))}
    </ol>
  );
}

function AuditEvent({
  entry: { at, by, what, changes, templateVersion, fromVersion },
}: {
  entry: TemplateAuditEvent;
}) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const changeText = useChangeText();
  return (
    <li>
      <p className={classes['entryTitle']}>
        {what === 'restored'
          ? t('templates.restoredAs', { from: fromVersion ?? 0, version: templateVersion ?? 0 })
          : t(`templates.${what}`)}
      </p>
      <p className={classes['entryFacts']}>
        <bdi>{by ? (by.name ?? t('templates.byDeleted')) : t('templates.byInstallation')}</bdi>
        {' · '}
        <time dateTime={at}>{formatDateTime(at, locale)}</time>
      </p>
      {changes.length > 0 && (
        <ul className={classes['changes']}>
          {changes.map(({ part, from, to }) => (
            <li key={part}>
              {t(`templates.${part}Changed`)}{' '}
              {part !== 'fields' && (
                <>
                  <bdi>{changeText(part, from)}</bdi> <span className="mirrored">→</span>{' '}
                </>
              )}
              <bdi>{changeText(part, to)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Returns a function that turns the codes in the log into words. */
function useChangeText() {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const { countries } = useCountries();
  return (part: TemplateAuditEvent['changes'][number]['part'], text: string): string => {
    switch (part) {
      case 'categories':
        return text.split(', ').map(label).join(', ');
      case 'language':
        return languageName({ _id: text, code: text, name: text, nativeName: text });
      case 'country':
        return text ? (countries?.find(({ _id }) => _id === text)?.name ?? text) : t('publish.noCountry');
      case 'file':
        return t('templates.version', { version: Number(text) });
      case 'title':
      case 'keywords':
      case 'fields':
        return text || '—';
    }
  };
}
