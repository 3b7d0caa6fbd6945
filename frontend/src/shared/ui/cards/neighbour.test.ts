import { describe, expect, it } from 'vitest';

import { neighbour, type Place } from './neighbour';

/** Returns `count` cards in `columns` columns as a browser places them: 300 px apart, with rounding differences. */
function grid(columns: number, count: number, rightToLeft = false): Place[] {
  return Array.from({ length: count }, (_, index) => {
    const column = index % columns;
    return {
      x: 150 + 300 * (rightToLeft ? columns - 1 - column : column),
      y: 100 + 400 * Math.floor(index / columns) + (index % 2) * 0.4,
    };
  });
}

describe('the card an arrow leads to', () => {
  const places = grid(4, 10);

  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 3, 4],
    ['ArrowRight', 9, undefined],
    ['ArrowLeft', 4, 3],
    ['ArrowLeft', 0, undefined],
    ['ArrowDown', 1, 5],
    ['ArrowUp', 5, 1],
    ['ArrowUp', 1, undefined],
    ['ArrowDown', 9, undefined],
    ['Home', 7, 0],
    ['End', 2, 9],
    ['Enter', 2, undefined],
  ])('%s from %i is %s', (key, from, to) => expect(neighbour(places, from, key)).toBe(to));

  it('goes down to the nearest card of a row that is not full', () => {
    expect(neighbour(places, 7, 'ArrowDown')).toBe(9);
    expect(neighbour(places, 6, 'ArrowDown')).toBe(9);
    expect(neighbour(places, 5, 'ArrowDown')).toBe(9);
    expect(neighbour(places, 4, 'ArrowDown')).toBe(8);
  });

  it('is mirrored where the first card stands at the right', () => {
    const arabic = grid(4, 10, true);
    expect(neighbour(arabic, 0, 'ArrowLeft')).toBe(1);
    expect(neighbour(arabic, 0, 'ArrowRight')).toBeUndefined();
    expect(neighbour(arabic, 4, 'ArrowRight')).toBe(3);
    expect(neighbour(arabic, 0, 'ArrowDown')).toBe(4);
  });

  it('in a single column every arrow has its meaning', () => {
    const column = grid(1, 3);
    expect(neighbour(column, 0, 'ArrowDown')).toBe(1);
    expect(neighbour(column, 0, 'ArrowRight')).toBe(1);
    expect(neighbour(column, 2, 'ArrowUp')).toBe(1);
  });

  it('leads nowhere without a card', () => {
    expect(neighbour([], 0, 'End')).toBeUndefined();
    expect(neighbour(places, -1, 'ArrowRight')).toBeUndefined();
  });
});
