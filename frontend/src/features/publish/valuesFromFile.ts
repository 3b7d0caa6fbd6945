import { titleFromFileName, type TemplateValues } from './templateProblems';

/** The values that a new template takes from its file. */
type FileValues = Pick<TemplateValues, 'title' | 'language'>;

/**
 * Returns title and language after another file was chosen; null for no file, or for one that cannot be published. What
 * came from the previous file is replaced, and what the admin has entered stays. The language of the new file is not
 * known yet, so it is cleared.
 */
export function valuesFromFile(
  { file, title, language }: TemplateValues,
  detectedLanguage: string | null,
  chosen: { name: string } | null,
): FileValues {
  const isTitleFromFile = file !== null && title === titleFromFileName(file.name);
  const isLanguageFromFile = file !== null && language === detectedLanguage;
  return {
    title: title.trim() && !isTitleFromFile ? title : chosen ? titleFromFileName(chosen.name) : '',
    language: isLanguageFromFile ? null : language,
  };
}
