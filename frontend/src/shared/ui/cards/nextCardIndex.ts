/** The position of a card: its centre from the left and its top from above, in pixels. */
export interface CardPosition {
  x: number;
  y: number;
}

/** The maximum difference between the tops of cards in one row, due to rounding. */
const SAME_ROW_PX = 4;

/**
 * Returns the index of the card that an arrow key leads to, or undefined. Keys follow the visual direction: → moves
 * right, which is forward in English and back in Arabic. At the end of a row it continues in the next one.
 */
export function nextCardIndex(positions: CardPosition[], index: number, key: string): number | undefined {
  const origin = positions[index];
  const first = positions[0];
  if (!origin || !first) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return positions.length - 1;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const second = positions[1];
    const rightToLeft =
      second !== undefined && Math.abs(second.y - first.y) < SAME_ROW_PX && second.x < first.x;
    const to = index + ((key === 'ArrowRight') === rightToLeft ? -1 : 1);
    return positions[to] ? to : undefined;
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const down = key === 'ArrowDown';
  let best: number | undefined;
  positions.forEach((position, index) => {
    const distance = down ? position.y - origin.y : origin.y - position.y;
    if (distance < SAME_ROW_PX) return;
    const current = best === undefined ? undefined : positions[best];
    const currentDistance = current ? Math.abs(current.y - origin.y) : Infinity;
    const nearerRow = distance < currentDistance - SAME_ROW_PX;
    const sameRow = Math.abs(distance - currentDistance) < SAME_ROW_PX;
    if (nearerRow || (sameRow && current && Math.abs(position.x - origin.x) < Math.abs(current.x - origin.x)))
      best = index;
  });
  return best;
}
