import { describe, expect, it } from 'vitest';

import { arePicturesTooLarge, isTotalTooLong } from './limits';

describe('the total of all texts', () => {
  it('is counted in bytes of UTF-8', () => {
    expect(isTotalTooLong(['é'.repeat(50_000), [{ name: 'é'.repeat(50_000) }]])).toBe(false);
    expect(isTotalTooLong(['é'.repeat(50_000), [{ name: 'é'.repeat(50_001) }]])).toBe(true);
  });
});

describe('the total of all pictures', () => {
  const picture = (bytes: number) => ({ image: `data:image/png;base64,${'A'.repeat((bytes / 3) * 4)}` });

  it('is counted in bytes, with those of rows', () => {
    expect(arePicturesTooLarge([picture(1_500_000), [{ photo: picture(1_500_000) }]])).toBe(false);
    expect(arePicturesTooLarge([picture(1_500_000), [{ photo: picture(1_500_003) }]])).toBe(true);
    expect(arePicturesTooLarge(['text', true, []])).toBe(false);
  });
});
