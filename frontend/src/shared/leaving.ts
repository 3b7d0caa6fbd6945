/** Handlers that ask whether unsaved changes may be lost. */
const asking = new Set<() => Promise<boolean>>();

/** Registers a handler for leaving the page. The returned function removes it. */
export function askBeforeLeaving(ask: () => Promise<boolean>): () => void {
  asking.add(ask);
  return () => asking.delete(ask);
}

/** Returns true if the page may be left in another way than by navigation, such as a logout. */
export async function mayLeave(): Promise<boolean> {
  for (const ask of [...asking]) {
    if (!(await ask())) return false;
  }
  return true;
}
