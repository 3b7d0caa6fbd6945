import { describe, expect, it } from 'vitest';

import arTexts from './locales/ar.json';
import enTexts from './locales/en.json';
import arDocuments from './locales/documents/ar.json';
import enDocuments from './locales/documents/en.json';
import frDocuments from './locales/documents/fr.json';
import arFields from './locales/fields/ar.json';
import arFindings from './locales/findings/ar.json';
import enFields from './locales/fields/en.json';
import enFindings from './locales/findings/en.json';
import frFields from './locales/fields/fr.json';
import frFindings from './locales/findings/fr.json';
import frTexts from './locales/fr.json';
import arPeople from './locales/people/ar.json';
import enPeople from './locales/people/en.json';
import frPeople from './locales/people/fr.json';
import arPictures from './locales/pictures/ar.json';
import arTemplates from './locales/templates/ar.json';
import enPictures from './locales/pictures/en.json';
import enTemplates from './locales/templates/en.json';
import frPictures from './locales/pictures/fr.json';
import frTemplates from './locales/templates/fr.json';

const ar = {
  ...arTexts,
  ...arDocuments,
  ...arFields,
  ...arFindings,
  ...arPeople,
  ...arPictures,
  ...arTemplates,
};
const en = {
  ...enTexts,
  ...enDocuments,
  ...enFields,
  ...enFindings,
  ...enPeople,
  ...enPictures,
  ...enTemplates,
};
const fr = {
  ...frTexts,
  ...frDocuments,
  ...frFields,
  ...frFindings,
  ...frPeople,
  ...frPictures,
  ...frTemplates,
};

type Texts = { [key: string]: string | Texts };

/** Returns every text by its path. Plural forms are listed under their base key. */
function textsByPath(tree: Texts, path = ''): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of Object.entries(tree)) {
    const at = path ? `${path}.${key}` : key;
    if (typeof value !== 'string') {
      textsByPath(value, at).forEach((list, inner) => found.set(inner, list));
      continue;
    }
    const family = at.replace(/_(zero|one|two|few|many|other)$/, '#');
    found.set(family, [...(found.get(family) ?? []), value]);
  }
  return found;
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort();

/** Texts that are the same in both languages. Any other equal text is reported as a forgotten translation. */
const SAME_AS_ENGLISH: Record<string, string[]> = {
  fr: [
    'brand',
    'fieldEditor.kinds.date',
    'fieldEditor.kinds.signature',
    'findings.styles',
    'helpPage.message',
    'menu',
    'pages_one',
    'pages_other',
    'pagination.label',
    'pagination.page',
    'templates.version',
    'templates.versions',
    'users.actions',
  ],
  ar: [],
};

describe.each([
  ['fr', fr as Texts],
  ['ar', ar as Texts],
])('%s', (language, tree) => {
  const theirs = textsByPath(tree);
  const ours = textsByPath(en as Texts);

  it('has the texts of English, and no others', () => {
    expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort());
  });

  it('has the same placeholders', () => {
    for (const [key, [first = '']] of ours) {
      if (key.endsWith('#')) continue;
      expect(placeholders(theirs.get(key)?.[0] ?? ''), key).toEqual(placeholders(first));
    }
  });

  it('has no empty text, and none that is still English', () => {
    const english = flatten(en as Texts);
    for (const [key, text] of Object.entries(flatten(tree))) {
      expect(text.trim(), key).not.toBe('');
      // Punctuation is the same in all languages. Tags and placeholders are not texts.
      if (!/\p{L}/u.test(text.replace(/<[^>]*>|\{\{[^}]*\}\}/g, ''))) continue;
      if (text === english[key]) expect(SAME_AS_ENGLISH[language], `${key}: ${text}`).toContain(key);
      if (language === 'ar') expect(/[\u0600-\u06ff]/.test(text), `${key}: ${text}`).toBe(true);
    }
  });

  it('has every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const keys = new Set(Object.keys(flatten(tree)));
    for (const family of [...ours.keys()].filter((key) => key.endsWith('#'))) {
      for (const form of forms) {
        // French uses `many` for millions, which no count here reaches.
        if (language === 'fr' && form === 'many') continue;
        expect(keys, `${family} ${form}`).toContain(`${family.slice(0, -1)}_${form}`);
      }
    }
  });
});

it('French has a no-break space before high punctuation', () => {
  expect(Object.values(flatten(fr as Texts)).filter((text) => / [;:!?»%]|« /.test(text))).toEqual([]);
});

function flatten(tree: Texts, path = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      const at = path ? `${path}.${key}` : key;
      return typeof value === 'string' ? [[at, value]] : Object.entries(flatten(value, at));
    }),
  );
}
