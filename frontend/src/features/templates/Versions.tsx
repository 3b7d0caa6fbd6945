import { Badge, Button, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { answerOf, api } from '@/api/client';
import { ApiError } from '@/api/error';
import type { Document, TemplateVersion } from '@/api/types';
import { formatDate } from '@/shared/i18n/format';
import { errorText } from '@/shared/i18n/errors';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';

import { compared } from './compare';
import { refreshTemplate } from './useTemplates';
import classes from './ViewPage.module.css';

/** The versions of a template with their changes, and the action to restore one. */
export function Versions({ document }: { document: Document }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const params = { path: { id: document._id } };
  const { data, error, refetch } = useQuery({
    queryKey: ['document', document._id, 'versions', document.templateVersion],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/documents/{id}/versions', { params, signal })),
  });
  if (error)
    return (
      <Failure title={t('templates.versionsFailed')} hint={errorText(error)} onRetry={() => void refetch()} />
    );
  if (!data) return <p role="status">{t('loading')}</p>;
  return (
    <>
      <ol className={classes['entries']}>
        {data.versions.map((version) => (
          <Version
            key={version.templateVersion}
            version={version}
            before={data.versions.find((other) => other.templateVersion === version.templateVersion - 1)}
            document={document}
          />
        ))}
      </ol>
      {data.versions.length > 1 && <Comparison versions={data.versions} lang={document.language.code} />}
    </>
  );
}

interface VersionProps {
  version: TemplateVersion;
  before: TemplateVersion | undefined;
  document: Document;
}

function Version({ version, before, document }: VersionProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { templateVersion, createdAt, pages, fields } = version;
  const current = templateVersion === document.templateVersion;

  const restore = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/v1/documents/{id}/restore', {
          params: { path: { id: document._id } },
          body: { templateVersion, revision: document.revision },
        }),
      ),
    onSuccess: () => toast.success(t('templates.versionRestored', { version: templateVersion })),
    onError: (error) => {
      // SessionEndedDialog reports an ended session.
      if (!(error instanceof ApiError && error.status === 401))
        toast.error(t('templates.restoreFailed', { msg: errorText(error, t) }));
    },
    onSettled: () => refreshTemplate(queries, document._id),
  });

  return (
    <li>
      <p className={classes['entryTitle']}>
        <span>{t('templates.version', { version: templateVersion })}</span>
        {current && <Badge>{t('templates.current')}</Badge>}
      </p>
      <p className={classes['entryFacts']}>
        {[
          formatDate(createdAt, locale),
          t('pages', { count: pages }),
          t('fields', { count: fields.length }),
        ].join(' · ')}
      </p>
      {before && <Changes from={before} to={version} lang={document.language.code} />}
      {!current && (
        <Button
          variant="default"
          size="xs"
          mt={8}
          loading={restore.isPending}
          aria-label={t('templates.restoreOf', { version: templateVersion })}
          onClick={() => setAsking(true)}
        >
          {t('templates.restore')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('templates.restoreTitle', { version: templateVersion })}
        text={t('templates.restoreText')}
        confirm={t('templates.restore')}
        cancel={t('cancel')}
        onConfirm={() => {
          setAsking(false);
          restore.mutate();
        }}
        onCancel={() => setAsking(false)}
      />
    </li>
  );
}

interface ChangesProps {
  from: TemplateVersion;
  to: TemplateVersion;
  /** The versions between `from` and `to`. */
  between?: TemplateVersion[];
  /** The language of the fields (BCP 47). */
  lang: string;
}

/** The changes of the fields from one version to another. */
function Changes({ from, to, between = [], lang }: ChangesProps) {
  const { t } = useTranslation();
  const { renamed, described, added, dropped } = compared(from, [...between, to]);
  if (renamed.length + described.length + added.length + dropped.length === 0)
    return <p className={classes['entryFacts']}>{t('templates.sameFields')}</p>;
  return (
    <ul className={classes['changes']}>
      {added.map((field) => (
        <li key={`+${field}`}>
          {t('templates.fieldAdded')} <bdi lang={lang}>{field}</bdi>
        </li>
      ))}
      {dropped.map((field) => (
        <li key={`-${field}`}>
          {t('templates.fieldDropped')} <bdi lang={lang}>{field}</bdi>
        </li>
      ))}
      {described.map((field) => (
        <li key={`?${field}`}>
          {t('templates.fieldDescribed')} <bdi lang={lang}>{field}</bdi>
        </li>
      ))}
      {renamed.map(({ from: old, to: now }) => (
        <li key={`=${old}`}>
          {t('templates.fieldRenamed')} <bdi lang={lang}>{old}</bdi> <span className="mirrored">→</span>{' '}
          <bdi lang={lang}>{now}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** The comparison of any two versions. */
function Comparison({ versions, lang }: { versions: TemplateVersion[]; lang: string }) {
  const { t } = useTranslation();
  const [newest] = versions;
  const oldest = versions.at(-1);
  const [first, setFirst] = useState(String(oldest?.templateVersion));
  const [second, setSecond] = useState(String(newest?.templateVersion));
  const data = versions.map(({ templateVersion }) => ({
    value: String(templateVersion),
    label: t('templates.version', { version: templateVersion }),
  }));
  const [low, high] = [Number(first), Number(second)].sort((one, other) => one - other) as [number, number];
  const of = (number: number) => versions.find(({ templateVersion }) => templateVersion === number);
  const [from, to] = [of(low), of(high)];
  const between = versions
    .filter(({ templateVersion }) => templateVersion > low && templateVersion < high)
    .sort((one, other) => one.templateVersion - other.templateVersion);
  return (
    <div className={classes['comparison']} role="group" aria-label={t('templates.compare')}>
      <p className={classes['entryTitle']}>{t('templates.compare')}</p>
      <div className={classes['pair']}>
        <Select
          size="xs"
          aria-label={t('templates.compareFrom')}
          allowDeselect={false}
          data={data}
          value={first}
          onChange={(value) => value && setFirst(value)}
        />
        <Select
          size="xs"
          aria-label={t('templates.compareTo')}
          allowDeselect={false}
          data={data}
          value={second}
          onChange={(value) => value && setSecond(value)}
        />
      </div>
      {from && to && from !== to && <Changes from={from} to={to} between={between} lang={lang} />}
    </div>
  );
}
