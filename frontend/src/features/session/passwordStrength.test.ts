import { expect, it } from 'vitest';

import { passwordStrength } from './passwordStrength';

it.each([
  ['', 0, 'very-weak'],
  ['abc', 0, 'very-weak'],
  ['abcdefgh', 1, 'very-weak'],
  ['Abcdefgh', 2, 'weak'],
  ['A1', 2, 'weak'],
  ['Abcdefg1', 3, 'fair'],
  ['Abcdef1!', 4, 'good'],
  ['abcdefghijkl', 2, 'weak'],
  ['Abcdefghij1!', 5, 'strong'],
  // Twelve letters of any script, counted as code points.
  ['كلمةسرطويلة', 1, 'very-weak'],
  ['ÉlanDuCœur-7x', 5, 'strong'],
  ['😀😀😀😀😀😀😀', 1, 'very-weak'],
])('%j has %i points: %s', (password, points, strength) => {
  expect(passwordStrength(password)).toEqual({ points, strength });
});
