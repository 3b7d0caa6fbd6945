import { Button, Progress, Select, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import type { Category } from '@/api/types';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { categoryLabel, useCategories, useCountries, useLanguageName, useLanguages } from '@/shared/lookups';
import { LIMITS } from '@/shared/settings';
import { foldedFilter } from '@/shared/ui/foldedFilter';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { CategoriesInput } from './CategoriesInput';
import { entries } from './categories';
import { Findings } from './Findings';
import classes from './PublishPage.module.css';
import { titleOf } from './template';
import { TemplateDrop } from './TemplateDrop';
import { usePublish } from './usePublish';

/** What a template gets where nothing is chosen (design §3). */
const DEFAULTS = { category: 'general', language: 'en' };

/** A label somebody picked, back to the name the API knows; what nobody translated stays as it was typed. */
function nameOf(label: string, categories: Category[] | undefined, language: string): string {
  return (
    categories?.find((category) => categoryLabel(category.name, categories, language) === label)?.name ??
    label
  );
}

/** Publishing a template (specification §2, `/documents/create`). */
export function PublishPage() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const languageName = useLanguageName();
  const { languages } = useLanguages();
  const { countries } = useCountries();
  const { categories } = useCategories();
  const [title, setTitle] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [fileError, setFileError] = useState<string | null>(null);
  const [titleError, setTitleError] = useState<string | null>(null);
  const [chosen, setChosen] = useState({
    categories: '',
    language: null as string | null,
    country: null as string | null,
  });
  const { mutate, isPending, error, reset, sent } = usePublish();
  usePageTitle(t('publish.title'));

  const labels = (categories ?? []).map(({ name }) => categoryLabel(name, categories, i18n.language));
  const findings = error instanceof ApiError ? (error.details.findings ?? []) : [];
  const mistakes = findings.filter(({ severity }) => severity === 'error').length;

  const chooseFile = (next: File | null) => {
    reset();
    setFile(next);
    setFileError(null);
    if (next && !title.trim()) setTitle(titleOf(next));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = title.trim();
    const long = [...name].length > LIMITS.titleCharacters;
    setTitleError(
      !name
        ? t('publish.titleMissing')
        : long
          ? t('publish.titleTooLong', { limit: LIMITS.titleCharacters })
          : null,
    );
    if (!file) setFileError(t('publish.fileMissing'));
    if (!name || !file) toast.error(t('publish.fillall'));
    if (!name || long || !file) return;
    const names = entries(chosen.categories).map((label) => nameOf(label, categories, i18n.language));
    mutate(
      { title: name, file, categories: names, language: chosen.language, country: chosen.country },
      {
        onSuccess: (answer) => {
          toast.success(
            answer.findings.length > 0 ? t('publish.publishedWithWarnings') : t('publish.created'),
          );
          void navigate('/user-home/user-all-documents');
        },
        onError: (failure) => toast.error(`${t('publish.documentCreationFailed')}: ${errorText(failure)}`),
      },
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <header className={classes['head']}>
        <h1>{t('publish.title')}</h1>
        <p>{t('publish.lead')}</p>
      </header>
      <div className={classes['columns']}>
        <div className={classes['main']}>
          <TextInput
            label={t('publish.documentTitle')}
            placeholder={t('publish.titlePlaceholder')}
            dir="auto"
            value={title}
            error={titleError}
            onChange={(event) => {
              setTitle(event.currentTarget.value);
              setTitleError(null);
            }}
          />
          <TemplateDrop
            file={file}
            onChange={chooseFile}
            error={fileError}
            onError={setFileError}
            busy={isPending}
          />
          {sent !== null && (
            <div className={classes['progress']} role="status">
              <Progress value={sent * 100} animated={sent >= 1} aria-label={t('publish.file')} />
              <span>
                {sent < 1
                  ? t('publish.uploading', { percent: Math.round(sent * 100) })
                  : t('publish.checking')}
              </span>
            </div>
          )}
          {findings.length > 0 && (
            <Findings
              title={t('publish.refused')}
              hint={t('publish.refusedHint', { count: mistakes })}
              findings={findings}
            />
          )}
          {error && findings.length === 0 && (
            <p className={classes['error']} role="alert">
              {errorText(error)}
            </p>
          )}
        </div>
        <section className={classes['settings']} aria-labelledby="publish-settings">
          <h2 id="publish-settings">{t('publish.settings')}</h2>
          <CategoriesInput
            value={chosen.categories}
            onChange={(value) => setChosen({ ...chosen, categories: value })}
            labels={labels}
            description={t('publish.categoriesHint', {
              category: categoryLabel(DEFAULTS.category, categories, i18n.language),
            })}
          />
          <Select
            label={t('language')}
            description={t('publish.languageHint', {
              language: languages?.find(({ code }) => code === DEFAULTS.language)?.name ?? 'English',
            })}
            data={(languages ?? []).map((language) => ({
              value: language.code,
              label: languageName(language),
            }))}
            searchable
            clearable
            filter={foldedFilter}
            nothingFoundMessage={t('nothingFound')}
            value={chosen.language}
            onChange={(language) => setChosen({ ...chosen, language })}
          />
          <Select
            label={t('country')}
            description={t('publish.countryHint')}
            data={(countries ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
            searchable
            clearable
            filter={foldedFilter}
            nothingFoundMessage={t('nothingFound')}
            value={chosen.country}
            onChange={(country) => setChosen({ ...chosen, country })}
          />
          <Button type="submit" loading={isPending}>
            {t('publish.confirm')}
          </Button>
        </section>
      </div>
    </form>
  );
}
