import { expect, it } from 'vitest';

import { TOAST_MS, UNDO_MS } from './toastTimes';

it('toasts stand as long as the specification says (§9), and longer where there is something to press', () => {
  expect(TOAST_MS).toEqual({ error: 4000, success: 2000, blank: 4000, loading: Infinity });
  expect(UNDO_MS).toBeGreaterThan(TOAST_MS.error);
});
