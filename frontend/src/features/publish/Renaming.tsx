import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import classes from './PublishPage.module.css';

interface RenamingProps {
  /** Fields that the new file has no more, and those it has and the template had not. */
  gone: string[];
  added: string[];
  /** BCP 47 of the template. */
  lang: string | undefined;
  /** The old name to the new. */
  renamed: Record<string, string>;
  onChange: (renamed: Record<string, string>) => void;
}

/** Fields of the template that the new file has under another name: what people have saved follows. */
export function Renaming({ gone, added, lang, renamed, onChange }: RenamingProps) {
  const { t } = useTranslation();
  const taken = new Set(Object.values(renamed));
  return (
    <section className={classes['settings']} aria-labelledby="renaming-title">
      <h2 id="renaming-title">{t('publish.renaming')}</h2>
      <p className={classes['hint']}>{t('publish.renamingHint')}</p>
      <div className={classes['trial']} lang={lang}>
        {gone.map((field) => (
          <Select
            key={field}
            size="xs"
            label={<bdi>{field}</bdi>}
            placeholder={t('publish.notRenamed')}
            clearable
            clearButtonProps={{ 'aria-label': t('publish.notRenamed') }}
            nothingFoundMessage={t('nothingFound')}
            data={added.filter((name) => name === renamed[field] || !taken.has(name))}
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
