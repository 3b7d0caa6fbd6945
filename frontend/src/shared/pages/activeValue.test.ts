import { describe, expect, it } from 'vitest';

import { isActiveArea } from './activeValue';
import type { ValueArea } from './messages';

const area = (field: number, rows?: number[], columns?: string[]): ValueArea => ({
  field,
  page: 0,
  x: 0,
  y: 0,
  width: 1,
  height: 1,
  ...(rows && { rows }),
  ...(columns && { columns }),
});

describe('an area of a page', () => {
  it('belongs to the active field, or to the list as a whole', () => {
    const active = { field: 1, rows: [], columns: [] };
    expect(isActiveArea(area(1), active)).toBe('value');
    expect(isActiveArea(area(1, [3], ['price']), active)).toBe('value');
    expect(isActiveArea(area(2), active)).toBeNull();
    expect(isActiveArea(area(1), null)).toBeNull();
  });

  it('belongs to the active cell or to its row', () => {
    const active = { field: 1, rows: [3], columns: ['price'] };
    expect(isActiveArea(area(1, [3], ['price']), active)).toBe('value');
    expect(isActiveArea(area(1, [3], ['name']), active)).toBe('row');
    expect(isActiveArea(area(1, [2], ['price']), active)).toBeNull();
    expect(isActiveArea(area(1), active)).toBeNull();
  });

  it('of a list in a list belongs to the row of the inner list only', () => {
    const active = { field: 1, rows: [3, 0], columns: ['parts', 'size'] };
    expect(isActiveArea(area(1, [3, 0], ['parts', 'size']), active)).toBe('value');
    expect(isActiveArea(area(1, [3, 0], ['parts', 'name']), active)).toBe('row');
    expect(isActiveArea(area(1, [3, 1], ['parts', 'size']), active)).toBeNull();
    expect(isActiveArea(area(1, [3, 0], ['others', 'size']), active)).toBeNull();
    expect(isActiveArea(area(1, [3], ['name']), active)).toBeNull();
  });
});
