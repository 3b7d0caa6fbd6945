import type { Document } from '@/api/types';
import type { Owner } from '@/shared/personal/owner';
import { change, list, read } from '@/shared/personal/store';

import type { Said } from './fieldHelp';
import type { Template } from './usePublish';

/** The input for a template without its file. */
export type Draft = Omit<Template, 'file'>;

export const EMPTY: Draft = { title: '', categories: '', keywords: '', language: null, country: null };

/** An unfinished template, kept on the device under the name that the URL has. Its file is an entry of its own. */
export interface Unfinished {
  draft: Draft;
  /** The overrides of field settings; null if unchanged. */
  said: Said | null;
}

/** The maximum number of unfinished templates; the oldest are dropped. */
const MOST = 5;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unfinishedOf(stored: unknown): Unfinished | null {
  if (!isRecord(stored) || !isRecord(stored['draft'])) return null;
  const { draft, said } = stored;
  const text = (key: keyof Draft) => {
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
    said: isRecord(said) ? (said as Said) : null,
  };
}

export function readUnfinished(name: string, owner: Owner): Unfinished | null {
  return unfinishedOf(read('template', name, owner));
}

/** Returns the file of an unfinished template. */
export function readFile(name: string, owner: Owner): File | null {
  const stored = read('file', name, owner);
  if (!isRecord(stored) || !(stored['blob'] instanceof Blob)) return null;
  const { blob, fileName, lastModified } = stored;
  return new File([blob as Blob], typeof fileName === 'string' ? fileName : 'template.docx', {
    type: (blob as Blob).type,
    ...(typeof lastModified === 'number' ? { lastModified } : {}),
  });
}

/** Stores an unfinished template, and drops the oldest ones above the limit. */
export function writeUnfinished(name: string, unfinished: Unfinished, owner: Owner): void {
  void change('template', name, () => unfinished, owner);
  for (const { key } of list('template', owner).slice(0, -MOST)) removeUnfinished(key, owner);
}

export function writeFile(name: string, file: File | null, owner: Owner): void {
  const stored = file && {
    fileName: file.name,
    lastModified: file.lastModified,
    blob: file.slice(0, file.size, file.type),
  };
  void change('file', name, () => stored, owner);
}

export function removeUnfinished(name: string, owner: Owner): void {
  void change('template', name, () => null, owner);
  void change('file', name, () => null, owner);
}

/** Returns the names and titles of an owner's unfinished templates, the newest first. */
export function listUnfinished(owner: Owner): { name: string; title: string }[] {
  return list('template', owner)
    .map(({ key, value }) => ({
      name: key,
      title: unfinishedOf(value)?.draft.title || (readFile(key, owner)?.name ?? ''),
    }))
    .reverse();
}

/** Returns the initial state of an edit, with the template's data. */
export function draftOf(document: Document, label: (category: string) => string): Draft {
  return {
    title: document.title,
    categories: `${document.categories.map(label).join(', ')},`,
    keywords: document.keywords.join(', '),
    language: document.language.code,
    country: document.country?._id ?? null,
  };
}

export function isSame(one: Draft, other: Draft): boolean {
  return (
    one.title === other.title &&
    one.categories === other.categories &&
    one.keywords === other.keywords &&
    one.language === other.language &&
    one.country === other.country
  );
}
