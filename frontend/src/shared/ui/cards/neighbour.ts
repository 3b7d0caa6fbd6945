/** The position of a card: its centre from the left and its top from above, in pixels. */
export interface Place {
  x: number;
  y: number;
}

/** The maximum difference between the tops of cards in one row, due to rounding. */
const SAME_ROW_PX = 4;

/**
 * Returns the index of the card that an arrow key leads to, or undefined. Keys follow the visual direction: → moves
 * right, which is forward in English and back in Arabic. At the end of a row it continues in the next one.
 */
export function neighbour(places: Place[], from: number, key: string): number | undefined {
  const here = places[from];
  const first = places[0];
  if (!here || !first) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return places.length - 1;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const second = places[1];
    const rightToLeft =
      second !== undefined && Math.abs(second.y - first.y) < SAME_ROW_PX && second.x < first.x;
    const to = from + ((key === 'ArrowRight') === rightToLeft ? -1 : 1);
    return places[to] ? to : undefined;
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const down = key === 'ArrowDown';
  let best: number | undefined;
  places.forEach((place, index) => {
    const distance = down ? place.y - here.y : here.y - place.y;
    if (distance < SAME_ROW_PX) return;
    const current = best === undefined ? undefined : places[best];
    const currentDistance = current ? Math.abs(current.y - here.y) : Infinity;
    const nearerRow = distance < currentDistance - SAME_ROW_PX;
    const sameRow = Math.abs(distance - currentDistance) < SAME_ROW_PX;
    if (nearerRow || (sameRow && current && Math.abs(place.x - here.x) < Math.abs(current.x - here.x)))
      best = index;
  });
  return best;
}
