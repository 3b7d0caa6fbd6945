import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
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
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { CategoriesInput } from './CategoriesInput';
import { FileDrop } from './FileDrop';
import { Published, Refused } from './Findings';
import classes from './PublishPage.module.css';
import { fileProblem, titleOfFile, type FileProblem } from './file';
import { usePublish, type Template } from './usePublish';

/** What the server has to say of a refused file stands below it, all at once. */
function refusal(error: unknown) {
  return error instanceof ApiError && (error.details.findings ?? []).length > 0 ? error : null;
}

type Draft = Omit<Template, 'file'> & { file: File | null };
type DraftProblem = 'fillall' | 'titleTooLong' | FileProblem;

function titleProblem(title: string): { title?: DraftProblem } {
  return [...title.trim()].length > LIMITS.titleCharacters ? { title: 'titleTooLong' } : {};
}

function asProblem(problem: FileProblem | null): { file?: DraftProblem } {
  return problem ? { file: problem } : {};
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
  const [published, setPublished] = useState<FileResponse | null>(null);
  usePageTitle(t('publish.title'));

  /** The catalogue in the template's language: there the new one stands first. */
  const catalogueWith = (code: string) => `/user-home/user-all-documents?lang=${encodeURIComponent(code)}`;

  const publish = usePublish((answer) => {
    toast.success(t('publish.created'));
    if (answer.findings.length > 0) setPublished(answer);
    else void navigate(catalogueWith(answer.document.language.code));
  });

  const form = useCheckedForm<Draft, DraftProblem>({
    initialValues: { title: '', file: null, categories: '', language: null, country: null },
    check: ({ title, file }) => ({
      ...(title.trim() ? titleProblem(title) : { title: 'fillall' }),
      ...(file ? asProblem(fileProblem(file)) : { file: 'fillall' }),
    }),
    // What is missing is said once, above the button.
    say: (problem, _, { file: chosen }) =>
      problem === 'fillall' ||
      t(`publish.${problem}`, {
        size: chosen ? formatFileSize(chosen.size, locale) : '',
        limit: problem === 'titleTooLong' ? LIMITS.titleCharacters : LIMITS.templateMegabytes,
      }),
    onSubmit: ({ file: chosen, ...rest }) => {
      if (chosen) publish.mutate({ ...rest, file: chosen });
    },
  });
  const { title, file, categories, language, country } = form.values;
  const incomplete = Object.values(form.problems).includes('fillall');

  const choose = (chosen: File | null) => {
    publish.reset();
    const named = chosen && !title.trim() && !fileProblem(chosen) ? { title: titleOfFile(chosen.name) } : {};
    form.change({ file: chosen, ...named });
    // A file that cannot be a template says so at once.
    if (chosen) form.mark(asProblem(fileProblem(chosen)));
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
      <form {...form.element} className={classes['columns']}>
        <Stack gap="lg" className={classes['sheet'] ?? ''}>
          <TextInput
            label={t('publish.documentTitle')}
            placeholder={t('publish.titlePlaceholder')}
            autoComplete="off"
            size="md"
            disabled={publish.isPending}
            {...form.input('title')}
          />
          <FileDrop
            file={file}
            onChoose={choose}
            error={form.errorOf('file')}
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
          <CategoriesInput
            value={categories}
            onChange={(entered) => form.change({ categories: entered })}
            disabled={publish.isPending}
          />
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
            onChange={(code) => form.change({ language: code })}
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
            onChange={(id) => form.change({ country: id })}
          />
        </aside>
      </form>
    </>
  );
}
