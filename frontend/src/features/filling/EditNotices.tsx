import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { NewerTemplateVersion } from '@/api/types';
import { editDraftKey, type Draft, type DraftChange } from '@/shared/drafts';
import {
  areSameValues,
  fieldValue,
  isEmptyValue,
  isList,
  isPicture,
  type FieldValue,
  type FieldValues,
} from '@/shared/fields/values';
import type { OpenSavedDocument } from '@/shared/savedDocuments/openSavedDocument';
import { usePendingSaves } from '@/shared/savedDocuments/pendingSaves';
import { NoticeButton } from '@/shared/ui/NoticeButton';

import classes from './EditNotices.module.css';

export interface EditNoticesProps {
  saved: OpenSavedDocument;
  draft: Draft;
  change: (changes: DraftChange) => void;
  discard: () => void;
}

/**
 * Notices about a saved document: an unfinished edit, a change made elsewhere since, a newer version of the
 * template.
 */
export function EditNotices({ saved, draft, change, discard }: EditNoticesProps) {
  const { t } = useTranslation();
  const { document, newerVersion } = saved;
  const pendingSaves = usePendingSaves();
  const hasPendingSave = pendingSaves.some(
    (pendingSave) => pendingSave.draft.key === editDraftKey(document._id),
  );
  const isOutdated = draft.edit !== null && draft.edit.version !== document.version;
  const [startedEdited] = useState(() => !isUnchanged(saved, draft));
  const isResumed = startedEdited && !isUnchanged(saved, draft);
  return (
    <>
      {/* A pending save has its own notice above the page. */}
      {!hasPendingSave && (isOutdated || isResumed) && (
        <div className={classes['notice']} data-harm={isOutdated || undefined}>
          <p>{isOutdated ? t('form.changedElsewhere') : t('form.resumed')}</p>
          <NoticeButton onClick={discard}>
            {isOutdated ? t('form.takeNewer') : t('form.discard')}
          </NoticeButton>
        </div>
      )}
      {newerVersion && (
        <NewerVersionNotice newerVersion={newerVersion} saved={saved} draft={draft} change={change} />
      )}
    </>
  );
}

function isUnchanged({ document, values, blank }: OpenSavedDocument, draft: Draft): boolean {
  const names = new Set([...Object.keys(values), ...Object.keys(draft.values)]);
  return (
    draft.blank === blank &&
    draft.edit?.title === document.title &&
    draft.edit.templateVersion === document.template.templateVersion &&
    [...names].every((name) => areSameValues(fieldValue(values, name), fieldValue(draft.values, name)))
  );
}

interface NewerVersionProps extends Omit<EditNoticesProps, 'discard'> {
  newerVersion: NewerTemplateVersion;
}

/** Offers the newer version of the template, and shows what happens to each value. */
function NewerVersionNotice({ newerVersion, saved, draft, change }: NewerVersionProps) {
  const { t } = useTranslation();
  const { edit } = draft;
  if (!edit) return null;
  const { template } = saved.document;
  const isChosen = edit.templateVersion === newerVersion.templateVersion;
  const renamed = newerVersion.renamed.map(({ to }) => to);
  const keptFields = newerVersion.fields.filter(
    (field) => !newerVersion.added.includes(field) && !renamed.includes(field),
  );
  const switchTo = (templateVersion: number) =>
    change({
      edit: { ...edit, templateVersion },
      // In the newer version a value moves to the new name of its field. Going back, the current value is kept too.
      values: Object.fromEntries(
        newerVersion.renamed.map(({ from, to }) =>
          templateVersion === newerVersion.templateVersion
            ? [to, fieldValue(draft.values, from)]
            : [from, fieldValue(draft.values, to)],
        ),
      ),
    });
  return (
    <section className={classes['notice']} aria-labelledby="newer">
      <h2 id="newer">{isChosen ? t('form.newerChosen') : t('form.newer')}</h2>
      {!isChosen && <p>{t('form.newerHint')}</p>}
      <div className={classes['fates']} lang={template.language.code}>
        <FieldList
          label={t('form.kept', { count: keptFields.length })}
          fields={keptFields}
          values={draft.values}
        />
        <FieldList
          label={t('form.renamed', { count: renamed.length })}
          fields={newerVersion.renamed.map(({ from }) => from)}
          newNames={Object.fromEntries(newerVersion.renamed.map(({ from, to }) => [from, to]))}
          values={draft.values}
        />
        <FieldList
          label={t('form.dropped', { count: newerVersion.dropped.length })}
          fields={newerVersion.dropped}
          values={draft.values}
        />
        <FieldList
          label={t('form.added', { count: newerVersion.added.length })}
          fields={newerVersion.added}
        />
      </div>
      <NoticeButton
        onClick={() => switchTo(isChosen ? template.templateVersion : newerVersion.templateVersion)}
      >
        {isChosen ? t('form.keepVersion') : t('form.takeVersion')}
      </NoticeButton>
    </section>
  );
}

interface FieldListProps {
  label: string;
  fields: string[];
  /** The values to show with their fields. */
  values?: FieldValues;
  /** The new names of the fields. */
  newNames?: Record<string, string>;
}

/** A group of fields with the same outcome. */
function FieldList({ label, fields, values, newNames }: FieldListProps) {
  const { i18n } = useTranslation();
  if (fields.length === 0) return null;
  return (
    <details open={fields.length <= 4}>
      <summary lang={i18n.language}>{label}</summary>
      <ul>
        {fields.map((field) => {
          const value = values ? fieldValue(values, field) : '';
          return (
            <li key={field}>
              <bdi className={classes['field']}>{field}</bdi>
              {newNames && (
                <>
                  {' '}
                  <span className="mirrored">→</span>{' '}
                  <bdi className={classes['field']}>{newNames[field]}</bdi>
                </>
              )}
              {!isEmptyValue(value) && (
                <bdi className={classes['value']}>
                  <ValueSummary value={value} />
                </bdi>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** A value as a text: the number of rows of a list, and the alternative text of a picture. */
function ValueSummary({ value }: { value: FieldValue }) {
  const { t, i18n } = useTranslation();
  if (typeof value === 'string') return value;
  return (
    <span lang={i18n.language}>
      {typeof value === 'boolean'
        ? t(value ? 'list.yes' : 'list.no')
        : isList(value)
          ? t('list.rows', { count: value.length })
          : isPicture(value) && value.alternativeText}
    </span>
  );
}
