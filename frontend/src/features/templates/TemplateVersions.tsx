import { Badge, Button, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { Template, TemplateVersion } from '@/api/types';
import { formatDate } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';

import { compareVersions } from './compareVersions';
import { refreshTemplate } from './useTemplates';
import classes from './AdminTemplatePage.module.css';

/** The versions of a template with their changes, and the action to restore one. */
export function TemplateVersions({ template }: { template: Template }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const params = { path: { id: template._id } };
  const { data, error, refetch } = useQuery({
    queryKey: ['document', template._id, 'versions', template.templateVersion],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents/{id}/versions', { params, signal })),
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
          <VersionItem
            key={version.templateVersion}
            version={version}
            previous={data.versions.find((other) => other.templateVersion === version.templateVersion - 1)}
            template={template}
          />
        ))}
      </ol>
      {data.versions.length > 1 && (
        <VersionComparison versions={data.versions} lang={template.language.code} />
      )}
    </>
  );
}

interface VersionItemProps {
  version: TemplateVersion;
  previous: TemplateVersion | undefined;
  template: Template;
}

function VersionItem({ version, previous, template }: VersionItemProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { templateVersion, createdAt, pages, fields } = version;
  const isCurrent = templateVersion === template.templateVersion;

  const restore = useMutation({
    mutationFn: () =>
      responseBody(
        api.POST('/api/v1/documents/{id}/restore', {
          params: { path: { id: template._id } },
          body: { templateVersion, revision: template.revision },
        }),
      ),
    onSuccess: () => toast.success(t('templates.versionRestored', { version: templateVersion })),
    meta: { failureText: (msg) => t('templates.restoreFailed', { msg }) },
    onSettled: () => refreshTemplate(queryClient, template._id),
  });

  return (
    <li>
      <p className={classes['entryTitle']}>
        <span>{t('templates.version', { version: templateVersion })}</span>
        {isCurrent && <Badge>{t('templates.current')}</Badge>}
      </p>
      <p className={classes['entryFacts']}>
        {[
          formatDate(createdAt, locale),
          t('pages', { count: pages }),
          t('fields', { count: fields.length }),
        ].join(' · ')}
      </p>
      {previous && <FieldChanges from={previous} to={version} lang={template.language.code} />}
      {!isCurrent && (
        <Button
          variant="default"
          size="xs"
          mt={8}
          loading={restore.isPending}
          aria-label={t('templates.restoreOf', { version: templateVersion })}
          onClick={() => setConfirming(true)}
        >
          {t('templates.restore')}
        </Button>
      )}
      <ConfirmDialog
        opened={isConfirming}
        title={t('templates.restoreTitle', { version: templateVersion })}
        text={t('templates.restoreText')}
        confirm={t('templates.restore')}
        cancel={t('cancel')}
        onConfirm={() => {
          setConfirming(false);
          restore.mutate();
        }}
        onCancel={() => setConfirming(false)}
      />
    </li>
  );
}

interface FieldChangesProps {
  from: TemplateVersion;
  to: TemplateVersion;
  /** The versions between `from` and `to`. */
  between?: TemplateVersion[];
  /** The language of the fields (BCP 47). */
  lang: string;
}

/** The changes of the fields from one version to another. */
function FieldChanges({ from, to, between = [], lang }: FieldChangesProps) {
  const { t } = useTranslation();
  const { renamed, changed, added, dropped } = compareVersions(from, [...between, to]);
  if (renamed.length + changed.length + added.length + dropped.length === 0)
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
      {changed.map((field) => (
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
function VersionComparison({ versions, lang }: { versions: TemplateVersion[]; lang: string }) {
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
  const findVersion = (number: number) => versions.find(({ templateVersion }) => templateVersion === number);
  const [from, to] = [findVersion(low), findVersion(high)];
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
      {from && to && from !== to && <FieldChanges from={from} to={to} between={between} lang={lang} />}
    </div>
  );
}
