import type { Document } from '@/api/types';
import { readJson, remove, writeJson } from '@/shared/storage';

import type { Template } from './usePublish';

/** The input for a template without its file, which cannot be stored. */
export type Draft = Omit<Template, 'file'>;

const EMPTY: Draft = { title: '', categories: '', keywords: '', language: null, country: null };

/** Returns the stored input for a template that is not published yet. */
export function readDraft(): Draft {
  const stored = readJson('templateDraft');
  if (typeof stored !== 'object' || stored === null) return EMPTY;
  const text = (key: keyof Draft) => {
    const value = (stored as Record<string, unknown>)[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    title: text('title') ?? '',
    categories: text('categories') ?? '',
    keywords: text('keywords') ?? '',
    language: text('language'),
    country: text('country'),
  };
}

export function writeDraft(draft: Draft): void {
  writeJson('templateDraft', draft);
}

export function removeDraft(): void {
  remove('templateDraft');
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
