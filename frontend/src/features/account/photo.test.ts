import { expect, it } from 'vitest';

import { centerSquare, shrinkPhoto } from './photo';

it('uses the square in the middle', () => {
  expect(centerSquare(4000, 3000)).toEqual({ x: 500, y: 0, side: 3000 });
  expect(centerSquare(300, 400)).toEqual({ x: 0, y: 50, side: 300 });
  expect(centerSquare(64, 64)).toEqual({ x: 0, y: 0, side: 64 });
});

it('accepts only images', async () => {
  const pdf = new Blob(['%PDF-1.7'], { type: 'application/pdf' });
  await expect(shrinkPhoto(pdf)).rejects.toMatchObject({ problem: 'photoNotImage' });
});
