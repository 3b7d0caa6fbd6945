/** Milliseconds a toast stands (specification §9); one that says that something is under way stands until it is replaced. */
export const TOAST_MS = { blank: 4000, error: 4000, success: 2000, loading: Infinity } as const;

/** One that offers a way back stands longer: it has to be read, and reached. */
export const UNDO_MS = 10_000;
