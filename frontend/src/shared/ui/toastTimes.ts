/**
 * The duration of toasts in milliseconds (specification §9). A toast about a running action stays until it is
 * replaced.
 */
export const TOAST_MS = { blank: 4000, error: 4000, success: 2000, loading: Infinity } as const;

/** A toast with an undo button stays longer, so that it can be read and reached. */
export const UNDO_MS = 10_000;
