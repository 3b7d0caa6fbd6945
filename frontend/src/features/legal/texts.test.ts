import { expect, it } from 'vitest';

import ar from './ar.json';
import en from './en.json';
import fr from './fr.json';
import type { LegalTexts } from './texts';

const shape = ({ terms, privacy }: LegalTexts) =>
  [terms, privacy].map((sections) => sections.map(({ paragraphs }) => paragraphs.length));
const all = ({ terms, privacy }: LegalTexts) =>
  [...terms, ...privacy].flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]);

it('the legal texts have the same paragraphs in three languages', () => {
  expect(shape(fr)).toEqual(shape(en));
  expect(shape(ar)).toEqual(shape(en));
  expect(all(ar).filter((text) => !/[\u0600-\u06ff]/.test(text))).toEqual([]);
  expect(all(fr).filter((text) => all(en).includes(text))).toEqual([]);
});

it('French has a no-break space before high punctuation', () => {
  expect(all(fr).filter((text) => / [;:!?»%]|« /.test(text))).toEqual([]);
});
