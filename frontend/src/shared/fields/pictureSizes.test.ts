import { expect, it } from 'vitest';

import { pictureSizes } from './pictureSizes';

it('returns the sizes that are set, with the paths of columns', () => {
  const sizes = pictureSizes([
    { field: 'logo', kind: 'picture', maxWidth: 40 },
    { field: 'name', kind: 'text' },
    {
      field: 'items',
      kind: 'list',
      columns: [{ field: 'photo', kind: 'picture', maxWidth: 20, maxHeight: 15 }],
    },
  ]);
  expect(sizes).toEqual({
    logo: { maxWidth: 40, maxHeight: null },
    'items[].photo': { maxWidth: 20, maxHeight: 15 },
  });
});
