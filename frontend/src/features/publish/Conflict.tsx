import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { answerOf, api } from '@/api/client';
import type { Document } from '@/api/types';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useCategoryLabel, useLanguageName } from '@/shared/lookups';

import classes from './PublishPage.module.css';

interface ConflictProps {
  /** The template as it was when this edit began. */
  edited: Document;
  /** Saves this edit over the other admin's changes. */
  onSaveMine: (newest: Document) => void;
  /** Discards this edit. */
  onTakeTheirs: (newest: Document) => void;
}

/**
 * Shown if another admin has changed the template since this edit began: their changes, and the choices for this
 * edit.
 */
export function Conflict({ edited, onSaveMine, onTakeTheirs }: ConflictProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const {
    data: newest,
    error,
    refetch,
  } = useQuery({
    queryKey: ['newest-template', edited._id, edited.revision],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { id: edited._id } };
      return (await answerOf(api.GET('/api/v1/documents/{id}', { params, signal }))).document;
    },
  });

  const rows = (document: Document): [string, string][] => [
    [t('publish.documentTitle'), document.title],
    [t('publish.categories'), document.categories.map(label).join(', ')],
    [t('publish.keywords'), document.keywords.join(', ')],
    [t('language'), languageName(document.language)],
    [t('country'), document.country?.name ?? t('publish.noCountry')],
    [t('publish.file'), t('templates.version', { version: document.templateVersion })],
    [t('templates.status'), t(`templates.${document.status}Status`)],
  ];
  const changes = newest ? rows(newest).filter(([, value], index) => value !== rows(edited)[index]?.[1]) : [];

  return (
    <section className={classes['refused']} role="alert" aria-labelledby="conflict-title">
      <h2 id="conflict-title">{t('publish.changedElsewhere')}</h2>
      <p>{t('publish.changedElsewhereHint')}</p>
      {error && (
        <p>
          {errorText(error)}{' '}
          <Button variant="default" size="xs" onClick={() => void refetch()}>
            {t('retry')}
          </Button>
        </p>
      )}
      {newest && (
        <>
          <dl className={classes['changes']}>
            {changes.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
          <div className={classes['buttons']}>
            <Button variant="default" onClick={() => onSaveMine(newest)}>
              {t('publish.saveMine')}
            </Button>
            <Button variant="default" onClick={() => onTakeTheirs(newest)}>
              {t('publish.takeTheirs')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
