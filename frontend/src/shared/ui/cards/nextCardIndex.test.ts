import { describe, expect, it } from 'vitest';

import { nextCardIndex, type CardPosition } from './nextCardIndex';

/** Returns `count` cards in `columns` columns as a browser places them: 300 px apart, with rounding differences. */
function grid(columns: number, count: number, rightToLeft = false): CardPosition[] {
  return Array.from({ length: count }, (_, index) => {
    const column = index % columns;
    return {
      x: 150 + 300 * (rightToLeft ? columns - 1 - column : column),
      y: 100 + 400 * Math.floor(index / columns) + (index % 2) * 0.4,
    };
  });
}

describe('the card that a key leads to', () => {
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
  ])('%s from %i is %s', (key, from, to) => expect(nextCardIndex(places, from, key)).toBe(to));

  it('is the nearest card of the next row if that row is not full', () => {
    expect(nextCardIndex(places, 7, 'ArrowDown')).toBe(9);
    expect(nextCardIndex(places, 6, 'ArrowDown')).toBe(9);
    expect(nextCardIndex(places, 5, 'ArrowDown')).toBe(9);
    expect(nextCardIndex(places, 4, 'ArrowDown')).toBe(8);
  });

  it('is mirrored if the first card is at the right', () => {
    const arabic = grid(4, 10, true);
    expect(nextCardIndex(arabic, 0, 'ArrowLeft')).toBe(1);
    expect(nextCardIndex(arabic, 0, 'ArrowRight')).toBeUndefined();
    expect(nextCardIndex(arabic, 4, 'ArrowRight')).toBe(3);
    expect(nextCardIndex(arabic, 0, 'ArrowDown')).toBe(4);
  });

  it('is the next or previous card in a single column, for all arrow keys', () => {
    const column = grid(1, 3);
    expect(nextCardIndex(column, 0, 'ArrowDown')).toBe(1);
    expect(nextCardIndex(column, 0, 'ArrowRight')).toBe(1);
    expect(nextCardIndex(column, 2, 'ArrowUp')).toBe(1);
  });

  it('is undefined without cards', () => {
    expect(nextCardIndex([], 0, 'End')).toBeUndefined();
    expect(nextCardIndex(places, -1, 'ArrowRight')).toBeUndefined();
  });
});
