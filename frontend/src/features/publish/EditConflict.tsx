import { Button, Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import type { FieldDerivation, SettingName } from '@/shared/fields/fieldSettings';
import { fetchTemplate, type OpenTemplate } from '@/shared/templates/useTemplate';
import { formatList } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useCategoryLabel, useCountries, useLanguages } from '@/shared/lookups';
import { Isolated } from '@/shared/ui/Isolated';

import { draftFromTemplate } from './templateDraft';
import { renameOverrides, renameFields, detectedSettings, extractOverrides } from './fieldSettings';
import { findDifferences, mergeSides, type ChosenSide, type Difference, type ConflictSide } from './merge';
import classes from './PublishPage.module.css';
import { useAreaTexts } from './templateArea';
import { useDerivationText } from './useDerivationText';

/** The result of a merge, to be saved over the newest state of the template. */
export interface Merge extends ReturnType<typeof mergeSides> {
  newest: OpenTemplate;
  /** The overrides of the newest state, under the field names of the merged one. */
  theirs: ConflictSide;
  /** The side whose file is used. */
  file: ChosenSide;
}

interface EditConflictProps {
  /** The template as it was when this edit began. */
  editedTemplate: OpenTemplate;
  /** The state when this edit began; `mine` is the current one. */
  base: ConflictSide;
  mine: ConflictSide;
  /** The file of this edit; null if it keeps the template's. */
  file: File | null;
  /** Returns the renamings that still fit a newer state of the template. */
  validRenames: (newest: OpenTemplate) => Record<string, string>;
  onSave: (merge: Merge) => void;
  /** Discards this edit. */
  onUseNewest: (newest: OpenTemplate) => void;
}

/**
 * Shown if another admin has changed the template since this edit began: everything that differs, each with a choice
 * between both sides.
 */
export function EditConflict({
  editedTemplate,
  base,
  mine,
  file,
  validRenames,
  onSave,
  onUseNewest,
}: EditConflictProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const label = useCategoryLabel();
  const differenceText = useDifferenceText();
  const { changedElsewhere } = useAreaTexts();
  const [choices, setChoices] = useState<Record<string, ChosenSide>>({});
  const { _id, revision, templateVersion, status } = editedTemplate.template;
  const {
    data: newest,
    error,
    refetch,
  } = useQuery({
    queryKey: ['newest-template', _id, revision],
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    queryFn: ({ signal }) => fetchTemplate(_id, signal),
  });

  const theirs: ConflictSide | null = newest
    ? {
        draft: draftFromTemplate(newest.template, label),
        overrides: renameOverrides(extractOverrides(newest.settings), file ? validRenames(newest) : {}),
        detected: renameFields(detectedSettings(newest.settings), file ? validRenames(newest) : {}),
      }
    : null;
  const differences = theirs ? findDifferences(base, mine, theirs) : [];
  const isFileDifferent = newest !== undefined && newest.template.templateVersion !== templateVersion;
  const fileChoice = choices['file'] ?? 'mine';
  const choose = (id: string, side: ChosenSide) => setChoices((now) => ({ ...now, [id]: side }));

  return (
    <section className={classes['refused']} role="alert" aria-labelledby="conflict-title">
      <h2 id="conflict-title">{changedElsewhere}</h2>
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
            {differences.map((difference) => (
              <DifferenceRow
                key={difference.id}
                name={differenceText.name(difference)}
                mine={differenceText.value(difference, difference.mine)}
                theirs={differenceText.value(difference, difference.theirs)}
                chosen={choices[difference.id] ?? difference.proposed}
                onChoose={(side) => choose(difference.id, side)}
              />
            ))}
            {isFileDifferent && file && (
              <DifferenceRow
                name={t('publish.file')}
                mine={file.name}
                theirs={t('templates.version', { version: newest.template.templateVersion })}
                chosen={fileChoice}
                onChoose={(side) => choose('file', side)}
              />
            )}
            {isFileDifferent && !file && (
              <p>
                <NameAndValue
                  name={t('publish.file')}
                  value={t('templates.version', { version: newest.template.templateVersion })}
                />
              </p>
            )}
            {newest.template.status !== status && (
              <p>
                <NameAndValue
                  name={t('templates.status')}
                  value={t(`templates.${newest.template.status}Status`)}
                />
              </p>
            )}
          </div>
          <div className={classes['buttons']}>
            <Button
              onClick={() =>
                onSave({
                  ...mergeSides(mine, theirs, differences, choices),
                  newest,
                  theirs,
                  file: fileChoice,
                })
              }
            >
              {t('publish.saveMerged')}
            </Button>
            <Button variant="default" onClick={() => onUseNewest(newest)}>
              {t('publish.takeTheirs')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function NameAndValue({ name, value }: { name: string; value: string }) {
  return (
    <Trans
      i18nKey="publish.nameAndValue"
      values={{ value }}
      components={{ name: <Isolated text={name} /> }}
    />
  );
}

interface DifferenceRowProps {
  name: ReactNode;
  mine: string;
  theirs: string;
  chosen: ChosenSide;
  onChoose: (side: ChosenSide) => void;
}

/** One difference, with the value of each side. */
function DifferenceRow({ name, mine, theirs, chosen, onChoose }: DifferenceRowProps) {
  return (
    <Radio.Group label={name} value={chosen} onChange={(side) => onChoose(side as ChosenSide)}>
      {(['mine', 'theirs'] as const).map((side) => (
        <Radio
          key={side}
          mt={4}
          value={side}
          label={
            <Trans
              i18nKey={`publish.${side}`}
              components={{ value: <Isolated text={side === 'mine' ? mine : theirs} /> }}
            />
          }
        />
      ))}
    </Radio.Group>
  );
}

/** Returns functions for the names and values of differences, as the form shows them. */
function useDifferenceText() {
  const { t, i18n } = useTranslation();
  const { languages } = useLanguages();
  const { countries } = useCountries();
  const derivationText = useDerivationText();
  const partName = (part: SettingName) =>
    part === 'derivation' ? t('derivation.title') : t(`fieldEditor.${part}`);

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
      return derivationText(value as FieldDerivation);
    }
    const text = Array.isArray(value) ? formatList(value as string[], i18n.language) : String(value ?? '');
    return text || t('publish.empty');
  };
  return {
    name: (difference: Difference): ReactNode => {
      if (difference.kind === 'field')
        return <NameAndValue name={difference.path.join(' › ')} value={partName(difference.settingName)} />;
      const { templateSetting: name } = difference;
      if (name === 'language' || name === 'country') return t(name);
      return t(name === 'title' ? 'publish.documentTitle' : `publish.${name}`);
    },
    value: (difference: Difference, value: unknown): string =>
      difference.kind === 'setting'
        ? setting(difference.templateSetting, value as string | null)
        : part(difference.settingName, value),
  };
}
