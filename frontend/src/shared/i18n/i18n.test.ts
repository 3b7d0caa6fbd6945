import { beforeEach, describe, expect, it, vi } from 'vitest';

import { openTestTab } from '@/testing/browser';

import type { InterfaceLanguage } from './language';

type File = `${InterfaceLanguage}/${string}`;
interface Request {
  resolve: () => void;
  reject: () => void;
}

const PARTS = ['all', 'people', 'fields'];
/** The requests for files of texts that are not answered yet. */
let requests: Map<File, Request>;
/** The files that are answered at once. */
let ready: Set<File>;

vi.mock('./texts', () => ({
  TEXT_LOADERS: Object.fromEntries(
    PARTS.map((part) => [
      part,
      Object.fromEntries(
        (['en', 'fr', 'ar'] as const).map((language) => [
          language,
          () =>
            new Promise((resolve, reject) => {
              const file: File = `${language}/${part}`;
              const resolveFile = () => resolve({ default: { [part]: `${part} in ${language}` } });
              if (ready.has(file)) resolveFile();
              else requests.set(file, { resolve: resolveFile, reject: () => reject(new Error('lost')) });
            }),
        ]),
      ),
    ]),
  ),
}));

/** Starts the texts as in a new tab, with everything of `languages` available at once. */
async function startIn(language: InterfaceLanguage, ...languages: InterfaceLanguage[]) {
  vi.resetModules();
  requests = new Map();
  ready = new Set(languages.flatMap((code) => PARTS.map((part): File => `${code}/${part}`)));
  const i18n = await import('./i18n');
  await i18n.startI18n(language);
  const i18next = (await import('i18next')).default;
  const t = i18next.t as (key: string) => string;
  return { ...i18n, t, i18next };
}

const resolveFiles = async (...files: File[]) => {
  for (const file of files) {
    await vi.waitFor(() => expect(requests.has(file)).toBe(true));
    requests.get(file)?.resolve();
    requests.delete(file);
  }
};
/** Waits until everything that can go on without another file has gone on. */
const waitForPending = () => new Promise((done) => setTimeout(done, 5));

beforeEach(() => void openTestTab());

describe('a page that is opened while another language loads', () => {
  it('never shows a key: the language changes after its texts have arrived', async () => {
    const { loadTexts, switchLanguage, t } = await startIn('en', 'en');
    const switched = switchLanguage('fr');
    const opened = loadTexts('people');
    await opened;
    expect(t('people')).toBe('people in en');
    await resolveFiles('fr/all');
    await waitForPending();
    expect([t('all'), t('people')]).toEqual(['all in en', 'people in en']);
    await resolveFiles('fr/people');
    await switched;
    expect([t('all'), t('people')]).toEqual(['all in fr', 'people in fr']);
  });

  it('is shown in the new language if its texts arrive first', async () => {
    const { loadTexts, switchLanguage, t } = await startIn('en', 'en');
    ready = new Set(['fr/all']);
    const opened = loadTexts('people');
    const switched = switchLanguage('fr');
    await resolveFiles('fr/people');
    await switched;
    await resolveFiles('en/people');
    await opened;
    expect(t('people')).toBe('people in fr');
  });
});

describe('several choices of a language', () => {
  it('end in the last one, in any order of the files', async () => {
    const { switchLanguage, i18next } = await startIn('en', 'en');
    const choices = [switchLanguage('fr'), switchLanguage('ar')];
    await resolveFiles('ar/all', 'fr/all');
    await Promise.all(choices);
    expect(i18next.language).toBe('ar');
  });

  it('from A to B and back to A end in A', async () => {
    const { switchLanguage, i18next } = await startIn('en', 'en');
    const away = switchLanguage('fr');
    await switchLanguage('en');
    await resolveFiles('fr/all');
    await away;
    expect(i18next.language).toBe('en');
  });
});

describe('a file that cannot be loaded', () => {
  it('leaves the previous language, and is requested again by the next choice', async () => {
    const { switchLanguage, i18next } = await startIn('en', 'en');
    const lost = switchLanguage('fr');
    await vi.waitFor(() => expect(requests.has('fr/all')).toBe(true));
    requests.get('fr/all')?.reject();
    await lost;
    expect(i18next.language).toBe('en');
    requests.clear();
    const again = switchLanguage('fr');
    await resolveFiles('fr/all');
    await again;
    expect(i18next.language).toBe('fr');
  });

  it('is replaced by the English one', async () => {
    const { loadTexts, t, i18next } = await startIn('fr', 'fr', 'en');
    ready.delete('fr/people');
    const opened = loadTexts('people');
    await vi.waitFor(() => expect(requests.has('fr/people')).toBe(true));
    requests.get('fr/people')?.reject();
    await opened;
    expect(i18next.language).toBe('fr');
    expect(t('people')).toBe('people in en');
  });

  it('fails the page if the English one cannot be loaded either', async () => {
    const { loadTexts } = await startIn('fr', 'fr');
    ready.delete('fr/people');
    const opened = loadTexts('people');
    opened.catch(() => undefined);
    for (const file of ['fr/people', 'en/all', 'en/people'] as const) {
      await vi.waitFor(() => expect(requests.has(file)).toBe(true));
      requests.get(file)?.reject();
    }
    await expect(opened).rejects.toThrow();
  });
});
