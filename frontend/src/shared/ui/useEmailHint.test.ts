import { expect, it } from 'vitest';

import { isIncompleteEmail } from './useEmailHint';

it.each([
  ['rania@example', true],
  [' rania@example ', true],
  ['rania@', true],
  ['rania@example.org', false],
  ['rania@example.', false],
  ['rania', false],
  ['', false],
  ['rania@example or by telephone', false],
])('%j is an incomplete address: %s', (text, isIncomplete) =>
  expect(isIncompleteEmail(text)).toBe(isIncomplete),
);
