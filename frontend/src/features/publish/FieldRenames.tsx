import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import classes from './PublishPage.module.css';

interface FieldRenamesProps {
  /** The fields that the new file has lost, and those that it has gained. */
  removed: string[];
  added: string[];
  /** The template's language (BCP 47). */
  lang: string | undefined;
  /** The new name of each renamed field, by its old name. */
  renamed: Record<string, string>;
  onChange: (renamed: Record<string, string>) => void;
}

/** Matches fields that have another name in the new file, so that saved values follow. */
export function FieldRenames({ removed, added, lang, renamed, onChange }: FieldRenamesProps) {
  const { t } = useTranslation();
  const usedNames = new Set(Object.values(renamed));
  return (
    <section className={classes['settings']} aria-labelledby="renaming-title">
      <h2 id="renaming-title">{t('publish.renaming')}</h2>
      <p className={classes['hint']}>{t('publish.renamingHint')}</p>
      <div className={classes['trial']} lang={lang}>
        {removed.map((field) => (
          <Select
            key={field}
            size="xs"
            label={<bdi>{field}</bdi>}
            placeholder={t('publish.notRenamed')}
            clearable
            clearButtonProps={{ 'aria-label': t('publish.notRenamed') }}
            nothingFoundMessage={t('nothingFound')}
            data={added.filter((name) => name === renamed[field] || !usedNames.has(name))}
            value={renamed[field] ?? null}
            onChange={(name) => {
              const others = Object.entries(renamed).filter(([old]) => old !== field);
              onChange(Object.fromEntries(name ? [...others, [field, name]] : others));
            }}
          />
        ))}
      </div>
    </section>
  );
}
