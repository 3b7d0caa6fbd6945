import { LIMITS } from '@/shared/settings';

import type { TemplateDraft } from './templateDraft';

/** The reason why a file cannot be sent, as the key of its message. */
export type FileProblem =
  'notDocx' | 'otherWord' | 'withMacros' | 'otherProgram' | 'isPdf' | 'fileTooLarge' | 'fileEmpty';

/** The other formats that people have documents in, by the ending of the file name. */
const OTHER_FORMATS: Record<string, FileProblem> = {
  doc: 'otherWord',
  dot: 'otherWord',
  dotx: 'otherWord',
  rtf: 'otherWord',
  docm: 'withMacros',
  dotm: 'withMacros',
  odt: 'otherProgram',
  ott: 'otherProgram',
  pages: 'otherProgram',
  gdoc: 'otherProgram',
  pdf: 'isPdf',
};

/** Checks a file before it is sent; its content is checked by the server. */
export function fileProblem(file: { name: string; size: number }): FileProblem | null {
  const ending = file.name.toLowerCase().split('.').at(-1) ?? '';
  if (ending !== 'docx') return OTHER_FORMATS[ending] ?? 'notDocx';
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.templateBytes ? 'fileTooLarge' : null;
}

/** Proposes a title from a file name: `rental_agreement-v2.docx` → `rental agreement v2`. */
export function titleFromFileName(name: string): string {
  return name
    .replace(/\.docx$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim()
    .slice(0, LIMITS.titleCharacters);
}

/** The values of the form for a template. */
export type TemplateValues = TemplateDraft & { file: File | null };

/** The problems of that form, as keys of their messages. */
export type TemplateProblem = 'fillall' | 'titleTooLong' | FileProblem;

/** Returns the problem of a title as a problem of the form. */
export function titleProblem(title: string): { title?: TemplateProblem } {
  if (!title.trim()) return { title: 'fillall' };
  return [...title.trim()].length > LIMITS.titleCharacters ? { title: 'titleTooLong' } : {};
}

/** Returns the problem of a file, if any, as a problem of the form. */
export function fileProblems(problem: FileProblem | null): { file?: TemplateProblem } {
  return problem ? { file: problem } : {};
}
