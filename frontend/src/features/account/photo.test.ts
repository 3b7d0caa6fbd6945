import { expect, it } from 'vitest';

import { middleSquare, shrunkPhoto } from './photo';

it('takes the square in the middle', () => {
  expect(middleSquare(4000, 3000)).toEqual({ x: 500, y: 0, side: 3000 });
  expect(middleSquare(300, 400)).toEqual({ x: 0, y: 50, side: 300 });
  expect(middleSquare(64, 64)).toEqual({ x: 0, y: 0, side: 64 });
});

it('takes images only', async () => {
  const pdf = new Blob(['%PDF-1.7'], { type: 'application/pdf' });
  await expect(shrunkPhoto(pdf)).rejects.toMatchObject({ problem: 'photoNotImage' });
});
