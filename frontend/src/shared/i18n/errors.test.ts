import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';

import { ApiError } from '@/api/error';

import { errorText } from './errors';

it('names values in lists with their rows, counted from 1', () => {
  const t = ((_: string, values?: { fields: string }) => values?.fields ?? '') as unknown as TFunction;
  const error = new ApiError(422, {
    code: 'missing_fields',
    message: '',
    details: { fields: ['name', 'items[3].unit price', 'a[0].b[1].c'] },
  });
  expect(errorText(error, t)).toBe('name, items (4): unit price, a (1): b (2): c');
});
