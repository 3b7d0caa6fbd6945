import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { answerOf, api } from '@/api/client';
import type { Document, HistoryEntry } from '@/api/types';
import { formatMoment } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel, useCountries, useLanguageName } from '@/shared/lookups';
import { Failure } from '@/shared/ui/Failure';

import classes from './ViewPage.module.css';

/** The audit log of a template. */
export function History({ document }: { document: Document }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const params = { path: { id: document._id } };
  const { data, error, refetch } = useQuery({
    queryKey: ['document', document._id, 'history', document.revision],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/documents/{id}/history', { params, signal })),
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
        <Entry key={index} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry: { at, by, what, changes, templateVersion, fromVersion } }: { entry: HistoryEntry }) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const shown = useShown();
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
        <time dateTime={at}>{formatMoment(at, locale)}</time>
      </p>
      {changes.length > 0 && (
        <ul className={classes['changes']}>
          {changes.map(({ part, from, to }) => (
            <li key={part}>
              {t(`templates.${part}Changed`)}{' '}
              {part !== 'fields' && (
                <>
                  <bdi>{shown(part, from)}</bdi> <span className="mirrored">→</span>{' '}
                </>
              )}
              <bdi>{shown(part, to)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Returns a function that turns the codes in the log into words. */
function useShown() {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const { countries } = useCountries();
  return (part: HistoryEntry['changes'][number]['part'], text: string): string => {
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
