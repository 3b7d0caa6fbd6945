import { describe, expect, it } from 'vitest';

import { lastMonths } from './months';

const november = new Date('2026-11-30T23:59:00Z');

describe('the months of a chart', () => {
  it('are the last twelve, the current one last, also across the end of a year', () => {
    const keys = lastMonths([], november, 'en').map(({ key }) => key);
    expect(keys).toHaveLength(12);
    expect([keys[0], keys[1], keys[11]]).toEqual(['2025-12', '2026-01', '2026-11']);
    expect(lastMonths([], new Date('2026-01-31T12:00:00Z'), 'en').at(-1)?.key).toBe('2026-01');
  });

  it('have 0 without entries, the sum of several entries, and no earlier months', () => {
    const points = lastMonths(
      [
        { year: 2026, month: 11, count: 2 },
        { year: 2026, month: 11, count: 3 },
        { year: 2026, month: 3 },
        { year: 2025, month: 11, count: 9 },
      ],
      november,
      'en',
    );
    expect(points.map(({ value }) => value)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
  });

  it('are named in the language of the page', () => {
    expect(lastMonths([], november, 'fr').at(-1)?.name).toBe('nov. 2026');
    expect(lastMonths([], november, 'ar-SA-u-ca-gregory-nu-latn').at(-1)?.name).toContain('2026');
  });
});
