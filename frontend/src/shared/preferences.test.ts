import { expect, it } from 'vitest';

import { visitorCountry } from './preferences';

it.each([
  ['the chosen country', 'EG', ['ar-JO'], 'EG'],
  ['the region of the first language', null, ['ar-JO', 'fr-FR'], 'JO'],
  ['the region of a later language', null, ['ar', 'fr-FR'], 'FR'],
  ['the region after a script', null, ['zh-Hant-TW'], 'TW'],
  ['no country for a region of many countries', null, ['es-419', 'ar'], null],
  ['no country for a broken language tag', null, ['not_a_tag', ''], null],
  ['no country without languages', null, [], null],
])('the visitor’s country is %s', (_, chosen, languages, expected) => {
  expect(visitorCountry(chosen, languages)).toBe(expected);
});
