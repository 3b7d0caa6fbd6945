import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';

import { currentOwner } from '@/shared/personal/owner';

import { EMPTY_TEMPLATE_DRAFT, listUnfinished, newUnfinishedName, writeUnfinished } from './templateDraft';

it('lists unfinished templates of the catalogue and private ones separately', () => {
  const owner = currentOwner();
  for (const area of ['catalogue', 'own'] as const) {
    const draft = { ...EMPTY_TEMPLATE_DRAFT, title: `Title ${area}` };
    writeUnfinished(newUnfinishedName(area), { draft, said: null }, owner);
  }
  const titles = (area: 'catalogue' | 'own') => listUnfinished(owner, area).map(({ title }) => title);
  expect(titles('catalogue')).toEqual(['Title catalogue']);
  expect(titles('own')).toEqual(['Title own']);
});
