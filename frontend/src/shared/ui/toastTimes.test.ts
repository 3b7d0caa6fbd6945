import { expect, it } from 'vitest';

import { TOAST_MS, UNDO_MS } from './toastTimes';

it('toasts stay as long as the specification says (§9), and longer with an undo button', () => {
  expect(TOAST_MS).toEqual({ error: 4000, success: 2000, blank: 4000, loading: Infinity });
  expect(UNDO_MS).toBeGreaterThan(TOAST_MS.error);
});
