import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useCountries, useLanguageName, useLanguages } from '@/shared/lookups';
import { LIMITS } from '@/shared/settings';
import { filterIgnoringAccents } from '@/shared/ui/filterIgnoringAccents';

import { CategoriesInput } from './CategoriesInput';
import { useTemplateArea } from './templateArea';
import type { TemplateDraft } from './templateDraft';
import classes from './PublishPage.module.css';

interface TemplateSettingsProps {
  values: TemplateDraft;
  change: (changes: Partial<TemplateDraft>) => void;
  disabled: boolean;
  /** The code of the language that was detected in the file. */
  detectedLanguage: string | null;
}

/** The settings of a template: language and country, and in the catalogue also categories and keywords. */
export function TemplateSettings({ values, change, disabled, detectedLanguage }: TemplateSettingsProps) {
  const { t } = useTranslation();
  const area = useTemplateArea();
  const languageName = useLanguageName();
  const { languages } = useLanguages();
  const { categories, keywords, language, country } = values;
  return (
    <aside className={classes['settings']} aria-labelledby="settings-title">
      <h2 id="settings-title">{t('publish.settings')}</h2>
      {area === 'catalogue' && (
        <>
          <CategoriesInput
            value={categories}
            onChange={(entered) => change({ categories: entered })}
            disabled={disabled}
          />
          <TextInput
            label={t('publish.keywords')}
            description={t('publish.keywordsHint', { limit: LIMITS.keywords })}
            autoComplete="off"
            disabled={disabled}
            value={keywords}
            onChange={(event) => change({ keywords: event.currentTarget.value })}
          />
        </>
      )}
      <Select
        label={t('language')}
        description={
          detectedLanguage && detectedLanguage === language
            ? t('publish.languageRead')
            : t('publish.languageHint', {
                language: languageName({ _id: 'en', code: 'en', name: 'English', nativeName: 'English' }),
              })
        }
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('publish.clearLanguage') }}
        filter={filterIgnoringAccents}
        nothingFoundMessage={t('nothingFound')}
        disabled={disabled}
        data={(languages ?? []).map((known) => ({ value: known._id, label: languageName(known) }))}
        value={language}
        onChange={(code) => change({ language: code })}
      />
      <CountryInput value={country} onChange={(id) => change({ country: id })} disabled={disabled} />
    </aside>
  );
}

interface CountryInputProps {
  /** The id of the country; null for none. */
  value: string | null;
  onChange: (id: string | null) => void;
  disabled: boolean;
}

/** The choice of the country whose law a template follows. */
export function CountryInput({ value, onChange, disabled }: CountryInputProps) {
  const { t } = useTranslation();
  const { countries } = useCountries();
  return (
    <Select
      label={t('country')}
      description={t('publish.countryHint')}
      placeholder={t('publish.noCountry')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('publish.noCountry') }}
      filter={filterIgnoringAccents}
      nothingFoundMessage={t('nothingFound')}
      disabled={disabled}
      data={(countries ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
}
