import { Button, Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Derivation } from '@/api/types';
import { sourcesOf } from '@/shared/documents/making';
import { fetchDocument, type OpenDocument } from '@/shared/documents/useDocument';
import { listFormat } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useCategoryLabel, useCountries, useLanguages } from '@/shared/lookups';

import { draftOf } from './draft';
import { carried, carriedHelp, guessesOf, saidOf } from './fieldHelp';
import { differences, merged, type Choice, type Difference, type Side } from './merge';
import classes from './PublishPage.module.css';

/** The result of a merge, to be saved over the newest state of the template. */
export interface Merge extends ReturnType<typeof merged> {
  newest: OpenDocument;
  /** The overrides of the newest state, under the field names of the merged one. */
  theirs: Side;
  /** The side whose file is used. */
  file: Choice;
}

interface ConflictProps {
  /** The template as it was when this edit began. */
  edited: OpenDocument;
  /** The state when this edit began, and now. */
  base: Side;
  mine: Side;
  /** The file of this edit; null if it keeps the template's. */
  file: File | null;
  /** Returns the renamings that still fit a newer state of the template. */
  fitting: (newest: OpenDocument) => Record<string, string>;
  onSave: (merge: Merge) => void;
  /** Discards this edit. */
  onTakeTheirs: (newest: OpenDocument) => void;
}

/**
 * Shown if another admin has changed the template since this edit began: everything that differs, each with a choice
 * between both sides.
 */
export function Conflict({ edited, base, mine, file, fitting, onSave, onTakeTheirs }: ConflictProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const label = useCategoryLabel();
  const show = useShown();
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const { _id, revision, templateVersion, status } = edited.document;
  const {
    data: newest,
    error,
    refetch,
  } = useQuery({
    queryKey: ['newest-template', _id, revision],
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    queryFn: ({ signal }) => fetchDocument(_id, signal),
  });

  const theirs: Side | null = newest
    ? {
        draft: draftOf(newest.document, label),
        said: carried(saidOf(newest.help), file ? fitting(newest) : {}),
        guesses: carriedHelp(guessesOf(newest.help), file ? fitting(newest) : {}),
      }
    : null;
  const found = theirs ? differences(base, mine, theirs) : [];
  const otherFile = newest !== undefined && newest.document.templateVersion !== templateVersion;
  const fileChoice = choices['file'] ?? 'mine';
  const choose = (id: string, side: Choice) => setChoices((now) => ({ ...now, [id]: side }));

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
      {newest && theirs && (
        <>
          <div className={classes['changes']}>
            {found.map((difference) => (
              <Row
                key={difference.id}
                name={show.name(difference)}
                mine={show.value(difference, difference.mine)}
                theirs={show.value(difference, difference.theirs)}
                chosen={choices[difference.id] ?? difference.proposed}
                onChoose={(side) => choose(difference.id, side)}
              />
            ))}
            {otherFile && file && (
              <Row
                name={t('publish.file')}
                mine={file.name}
                theirs={t('templates.version', { version: newest.document.templateVersion })}
                chosen={fileChoice}
                onChoose={(side) => choose('file', side)}
              />
            )}
            {otherFile && !file && (
              <p>
                {t('publish.file')}: {t('templates.version', { version: newest.document.templateVersion })}
              </p>
            )}
            {newest.document.status !== status && (
              <p>
                {t('templates.status')}: {t(`templates.${newest.document.status}Status`)}
              </p>
            )}
          </div>
          <div className={classes['buttons']}>
            <Button
              onClick={() =>
                onSave({ ...merged(mine, theirs, found, choices), newest, theirs, file: fileChoice })
              }
            >
              {t('publish.saveMerged')}
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

interface RowProps {
  name: ReactNode;
  mine: string;
  theirs: string;
  chosen: Choice;
  onChoose: (side: Choice) => void;
}

/** One difference, with the value of each side. */
function Row({ name, mine, theirs, chosen, onChoose }: RowProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group label={name} value={chosen} onChange={(side) => onChoose(side as Choice)}>
      {(['mine', 'theirs'] as const).map((side) => (
        <Radio
          key={side}
          mt={4}
          value={side}
          label={
            <>
              {t(`publish.${side}`)} <bdi>{side === 'mine' ? mine : theirs}</bdi>
            </>
          }
        />
      ))}
    </Radio.Group>
  );
}

/** Returns functions for the names and values of differences, as the form shows them. */
function useShown() {
  const { t, i18n } = useTranslation();
  const { languages } = useLanguages();
  const { countries } = useCountries();
  const partName = (part: string) =>
    part === 'derivation' ? t('derivation.title') : t(`fieldEditor.${part as 'label'}`);

  const setting = (name: string, value: string | null): string => {
    if (!value) return t(name === 'country' ? 'publish.noCountry' : 'publish.empty');
    if (name === 'language') return languages?.find(({ code }) => code === value)?.name ?? value;
    if (name === 'country') return countries?.find(({ _id }) => _id === value)?.name ?? value;
    return value.replace(/,\s*$/, '');
  };
  const part = (name: string, value: unknown): string => {
    if (name === 'kind') return t(`fieldEditor.kinds.${value as 'text'}`);
    if (name === 'derivation') {
      if (!value) return t('derivation.none');
      const derivation = value as Derivation;
      return `${t(`derivation.kinds.${derivation.kind}`)}: ${listFormat(sourcesOf(derivation), i18n.language)}`;
    }
    const text = Array.isArray(value) ? listFormat(value as string[], i18n.language) : String(value ?? '');
    return text || t('publish.empty');
  };
  return {
    name: (difference: Difference): ReactNode => {
      if (difference.kind === 'field')
        return (
          <>
            <bdi>{difference.field}</bdi>: {partName(difference.part)}
          </>
        );
      const { setting: name } = difference;
      if (name === 'language' || name === 'country') return t(name);
      return t(name === 'title' ? 'publish.documentTitle' : `publish.${name}`);
    },
    value: (difference: Difference, value: unknown): string =>
      difference.kind === 'setting'
        ? setting(difference.setting, value as string | null)
        : part(difference.part, value),
  };
}
