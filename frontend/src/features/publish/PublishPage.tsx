import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import type { FileResponse } from '@/api/types';
import { formatFileSize } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCountries, useLanguageName, useLanguages } from '@/shared/lookups';
import { LIMITS } from '@/shared/settings';
import { foldedFilter } from '@/shared/ui/foldedFilter';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { CategoriesInput } from './CategoriesInput';
import { FileDrop } from './FileDrop';
import { Published, Refused } from './Findings';
import classes from './PublishPage.module.css';
import { fileProblem, titleOfFile } from './file';
import { usePublish } from './usePublish';

/** What the server has to say of a refused file stands below it, all at once. */
function refusal(error: unknown) {
  return error instanceof ApiError && (error.details.findings ?? []).length > 0 ? error : null;
}

/** An admin publishes a template: its title and file, and on the right its settings. */
export function PublishPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const locale = useFormattingLocale();
  const languageName = useLanguageName();
  const { languages } = useLanguages();
  const { countries } = useCountries();
  const [title, setTitle] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [categories, setCategories] = useState('');
  const [language, setLanguage] = useState<string | null>(null);
  const [country, setCountry] = useState<string | null>(null);
  const [submitted, setSubmitted] = useState(false);
  const [published, setPublished] = useState<FileResponse | null>(null);
  usePageTitle(t('publish.title'));

  /** The catalogue in the template's language: there the new one stands first. */
  const catalogueWith = (code: string) => `/user-home/user-all-documents?lang=${encodeURIComponent(code)}`;

  const publish = usePublish((answer) => {
    toast.success(t('publish.created'));
    if (answer.findings.length > 0) setPublished(answer);
    else void navigate(catalogueWith(answer.document.language.code));
  });

  const problem = file && fileProblem(file);
  const size = file ? formatFileSize(file.size, locale) : '';
  const fileError = problem
    ? t(`publish.${problem}`, { size, limit: LIMITS.templateMegabytes })
    : submitted && !file
      ? t('publish.fileMissing')
      : null;
  const titleLong = [...title.trim()].length > LIMITS.titleCharacters;
  const titleError = titleLong
    ? t('publish.titleTooLong', { limit: LIMITS.titleCharacters })
    : submitted && !title.trim()
      ? t('publish.titleMissing')
      : null;
  const incomplete = submitted && (!title.trim() || !file);

  const choose = (chosen: File | null) => {
    setFile(chosen);
    publish.reset();
    if (chosen && !title.trim() && !fileProblem(chosen)) setTitle(titleOfFile(chosen.name));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (!title.trim() || titleLong || !file || problem) return;
    publish.mutate({ title, file, categories, language, country });
  };

  if (published) {
    return <Published answer={published} catalogue={catalogueWith(published.document.language.code)} />;
  }
  const refused = refusal(publish.error);
  return (
    <>
      <header className={classes['header']}>
        <h1>{t('publish.title')}</h1>
        <p>{t('publish.lead')}</p>
      </header>
      <form onSubmit={submit} className={classes['columns']} noValidate>
        <Stack gap="lg" className={classes['sheet'] ?? ''}>
          <TextInput
            label={t('publish.documentTitle')}
            placeholder={t('publish.titlePlaceholder')}
            autoComplete="off"
            size="md"
            error={titleError}
            disabled={publish.isPending}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <FileDrop
            file={file}
            onChoose={choose}
            error={fileError}
            sent={publish.isPending ? publish.sent : undefined}
          />
          {refused && <Refused findings={refused.details.findings ?? []} />}
          {publish.error && !refused && (
            <Alert color="red" variant="light" role="alert" title={t('publish.documentCreationFailed')}>
              {errorText(publish.error)}
            </Alert>
          )}
          {incomplete && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {t('publish.fillall')}
            </Alert>
          )}
          <Button type="submit" size="md" loading={publish.isPending} className={classes['confirm'] ?? ''}>
            {t('publish.confirm')}
          </Button>
        </Stack>
        <aside className={classes['settings']} aria-labelledby="settings-title">
          <h2 id="settings-title">{t('publish.settings')}</h2>
          <CategoriesInput value={categories} onChange={setCategories} disabled={publish.isPending} />
          <Select
            label={t('language')}
            description={t('publish.languageHint', {
              language: languageName({ _id: 'en', code: 'en', name: 'English', nativeName: 'English' }),
            })}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('publish.clearLanguage') }}
            filter={foldedFilter}
            nothingFoundMessage={t('nothingFound')}
            disabled={publish.isPending}
            data={(languages ?? []).map((known) => ({ value: known._id, label: languageName(known) }))}
            value={language}
            onChange={setLanguage}
          />
          <Select
            label={t('country')}
            description={t('publish.countryHint')}
            placeholder={t('publish.noCountry')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('publish.noCountry') }}
            filter={foldedFilter}
            nothingFoundMessage={t('nothingFound')}
            disabled={publish.isPending}
            data={(countries ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
            value={country}
            onChange={setCountry}
          />
        </aside>
      </form>
    </>
  );
}
