import type { Template } from '@/api/types';
import type { Owner } from '@/shared/personal/owner';
import { changeEntry, listEntries, readEntry } from '@/shared/personal/store';

import type { OverridesByField } from './fieldSettings';
import type { TemplateArea } from './templateArea';
import type { TemplateInput } from './usePublishTemplate';

/** The input for a template without its file. */
export type TemplateDraft = Omit<TemplateInput, 'file'>;

export const EMPTY_TEMPLATE_DRAFT: TemplateDraft = {
  title: '',
  categories: '',
  keywords: '',
  language: null,
  country: null,
};

/** An unfinished template, kept on the device under the name that the URL has. Its file is an entry of its own. */
export interface UnfinishedTemplate {
  draft: TemplateDraft;
  /** The overrides of field settings; null if unchanged. The name is part of the stored data. */
  said: OverridesByField | null;
}

/** The state of the form for a new template when it is opened. Null for a template that has none. */
export interface FormStart {
  unfinished: UnfinishedTemplate | null;
  file: File | null;
}

/** The start of the names of unfinished private templates. */
const OWN_PREFIX = 'own-';

/** Returns a new name for an unfinished template of an area. */
export function newUnfinishedName(area: TemplateArea): string {
  return `${area === 'own' ? OWN_PREFIX : ''}${crypto.randomUUID()}`;
}

function areaOf(name: string): TemplateArea {
  return name.startsWith(OWN_PREFIX) ? 'own' : 'catalogue';
}

/** The maximum number of unfinished templates; the oldest are dropped. */
const MAX_UNFINISHED = 5;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseUnfinished(stored: unknown): UnfinishedTemplate | null {
  if (!isRecord(stored) || !isRecord(stored['draft'])) return null;
  const { draft, said } = stored;
  const text = (key: keyof TemplateDraft) => {
    const value = (draft as Record<string, unknown>)[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    draft: {
      title: text('title') ?? '',
      categories: text('categories') ?? '',
      keywords: text('keywords') ?? '',
      language: text('language'),
      country: text('country'),
    },
    said: isRecord(said) ? (said as OverridesByField) : null,
  };
}

export function readUnfinished(name: string, owner: Owner): UnfinishedTemplate | null {
  return parseUnfinished(readEntry('template', name, owner));
}

/** Returns the file of an unfinished template. */
export function readTemplateFile(name: string, owner: Owner): File | null {
  const stored = readEntry('file', name, owner);
  if (!isRecord(stored) || !(stored['blob'] instanceof Blob)) return null;
  const { blob, fileName, lastModified } = stored;
  return new File([blob as Blob], typeof fileName === 'string' ? fileName : 'template.docx', {
    type: (blob as Blob).type,
    ...(typeof lastModified === 'number' ? { lastModified } : {}),
  });
}

/** Returns an unfinished template with its file. */
export function readFormStart(name: string, owner: Owner): FormStart {
  return { unfinished: readUnfinished(name, owner), file: readTemplateFile(name, owner) };
}

/** Stores an unfinished template, and drops the oldest ones above the limit. */
export function writeUnfinished(name: string, unfinished: UnfinishedTemplate, owner: Owner): void {
  void changeEntry('template', name, () => unfinished, owner);
  for (const { key } of listEntries('template', owner).slice(0, -MAX_UNFINISHED))
    removeUnfinished(key, owner);
}

export function writeTemplateFile(name: string, file: File | null, owner: Owner): void {
  const stored = file && {
    fileName: file.name,
    lastModified: file.lastModified,
    blob: file.slice(0, file.size, file.type),
  };
  void changeEntry('file', name, () => stored, owner);
}

export function removeUnfinished(name: string, owner: Owner): void {
  void changeEntry('template', name, () => null, owner);
  void changeEntry('file', name, () => null, owner);
}

/** Returns the names and titles of an owner's unfinished templates of an area, the newest first. */
export function listUnfinished(owner: Owner, area: TemplateArea): { name: string; title: string }[] {
  return listEntries('template', owner)
    .filter(({ key }) => areaOf(key) === area)
    .map(({ key, value }) => ({
      name: key,
      title: parseUnfinished(value)?.draft.title || (readTemplateFile(key, owner)?.name ?? ''),
    }))
    .reverse();
}

/** Returns the initial state of an edit, with the template's data. */
export function draftFromTemplate(template: Template, label: (category: string) => string): TemplateDraft {
  return {
    title: template.title,
    categories: `${template.categories.map(label).join(', ')},`,
    keywords: template.keywords.join(', '),
    language: template.language.code,
    country: template.country?._id ?? null,
  };
}

export function areDraftsEqual(one: TemplateDraft, other: TemplateDraft): boolean {
  return (
    one.title === other.title &&
    one.categories === other.categories &&
    one.keywords === other.keywords &&
    one.language === other.language &&
    one.country === other.country
  );
}
