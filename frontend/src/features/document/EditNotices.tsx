import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { NewerTemplate } from '@/api/types';
import { editKey, isBlank, valueOf, type Draft, type DraftChange } from '@/shared/drafts';
import type { OpenSaved } from '@/shared/saved/calls';
import { useWaitingSaves } from '@/shared/saved/waiting';

import classes from './EditNotices.module.css';

interface EditNoticesProps {
  saved: OpenSaved;
  draft: Draft;
  change: (what: DraftChange) => void;
  discard: () => void;
}

/**
 * Notices about a saved document: an unfinished edit, a change made elsewhere since, a newer version of the
 * template.
 */
export function EditNotices({ saved, draft, change, discard }: EditNoticesProps) {
  const { t } = useTranslation();
  const { document, newer } = saved;
  const waiting = useWaitingSaves();
  const pending = waiting.some((order) => order.draft.key === editKey(document._id));
  const stale = draft.edit !== null && draft.edit.version !== document.version;
  const [began] = useState(() => !isAsSaved(saved, draft));
  const resumed = began && !isAsSaved(saved, draft);
  return (
    <>
      {/* An unfinished save has its own notice above the page. */}
      {!pending && (stale || resumed) && (
        <div className={classes['notice']} data-harm={stale || undefined}>
          <p>{stale ? t('form.changedElsewhere') : t('form.resumed')}</p>
          <Button variant="default" size="xs" onClick={discard}>
            {stale ? t('form.takeNewer') : t('form.discard')}
          </Button>
        </div>
      )}
      {newer && <NewerVersion newer={newer} saved={saved} draft={draft} change={change} />}
    </>
  );
}

function isAsSaved({ document, values, blank }: OpenSaved, draft: Draft): boolean {
  const names = new Set([...Object.keys(values), ...Object.keys(draft.values)]);
  return (
    draft.blank === blank &&
    draft.edit?.title === document.title &&
    draft.edit.templateVersion === document.template.templateVersion &&
    [...names].every((name) => valueOf(values, name) === valueOf(draft.values, name))
  );
}

interface NewerVersionProps extends Omit<EditNoticesProps, 'discard'> {
  newer: NewerTemplate;
}

/** Offers the newer version of the template, and shows what happens to each value. */
function NewerVersion({ newer, saved, draft, change }: NewerVersionProps) {
  const { t } = useTranslation();
  const { edit } = draft;
  if (!edit) return null;
  const { template } = saved.document;
  const chosen = edit.templateVersion === newer.templateVersion;
  const renamed = newer.renamed.map(({ to }) => to);
  const kept = newer.fields.filter((field) => !newer.added.includes(field) && !renamed.includes(field));
  const go = (templateVersion: number) =>
    change({
      edit: { ...edit, templateVersion },
      // In the newer version a value moves to the new name of its field. Going back, the current value is kept too.
      values: Object.fromEntries(
        newer.renamed.map(({ from, to }) =>
          templateVersion === newer.templateVersion
            ? [to, valueOf(draft.values, from)]
            : [from, valueOf(draft.values, to)],
        ),
      ),
    });
  return (
    <section className={classes['notice']} aria-labelledby="newer">
      <h2 id="newer">{chosen ? t('form.newerChosen') : t('form.newer')}</h2>
      {!chosen && <p>{t('form.newerHint')}</p>}
      <div className={classes['fates']} lang={template.language.code}>
        <Fate label={t('form.kept', { count: kept.length })} fields={kept} values={draft.values} />
        <Fate
          label={t('form.renamed', { count: renamed.length })}
          fields={newer.renamed.map(({ from }) => from)}
          now={Object.fromEntries(newer.renamed.map(({ from, to }) => [from, to]))}
          values={draft.values}
        />
        <Fate
          label={t('form.dropped', { count: newer.dropped.length })}
          fields={newer.dropped}
          values={draft.values}
        />
        <Fate label={t('form.added', { count: newer.added.length })} fields={newer.added} />
      </div>
      <Button
        variant="default"
        size="xs"
        onClick={() => go(chosen ? template.templateVersion : newer.templateVersion)}
      >
        {chosen ? t('form.keepVersion') : t('form.takeVersion')}
      </Button>
    </section>
  );
}

interface FateProps {
  label: string;
  fields: string[];
  /** The values to show with their fields. */
  values?: Record<string, string>;
  /** The new names of the fields. */
  now?: Record<string, string>;
}

/** A group of fields with the same outcome. */
function Fate({ label, fields, values, now }: FateProps) {
  const { i18n } = useTranslation();
  if (fields.length === 0) return null;
  return (
    <details open={fields.length <= 4}>
      <summary lang={i18n.language}>{label}</summary>
      <ul>
        {fields.map((field) => {
          const value = values ? valueOf(values, field) : '';
          return (
            <li key={field}>
              <bdi className={classes['field']}>{field}</bdi>
              {now && (
                <>
                  {' '}
                  <span className="mirrored">→</span> <bdi className={classes['field']}>{now[field]}</bdi>
                </>
              )}
              {!isBlank(value) && <bdi className={classes['value']}>{value}</bdi>}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
