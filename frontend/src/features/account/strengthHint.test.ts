import { expect, it } from 'vitest';

import { strengthHint } from './strengthHint';

it.each([
  ['', null],
  ['a', 'weak'],
  ['abcdefgh', 'weak'],
  ['abcdefg1', 'weak'],
  ['Abcdefgh', 'moderate'],
  ['Abcdefg1', 'moderate'],
  ['1!', 'moderate'],
  ['Abcde1!', 'moderate'],
  ['Abcdef1!', 'strong'],
  // An underscore is not one of the special characters here.
  ['Abcdef1_', 'moderate'],
  ['a_1', 'weak'],
])('%j is %s', (password, hint) => expect(strengthHint(password)).toBe(hint));
