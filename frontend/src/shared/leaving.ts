/** Handlers that ask whether unsaved changes may be lost. */
const leaveHandlers = new Set<() => Promise<boolean>>();

/** Registers a handler for leaving the page. The returned function removes it. */
export function askBeforeLeaving(mayLeavePage: () => Promise<boolean>): () => void {
  leaveHandlers.add(mayLeavePage);
  return () => leaveHandlers.delete(mayLeavePage);
}

/** Returns true if the page may be left in another way than by navigation, such as a logout. */
export async function mayLeave(): Promise<boolean> {
  for (const mayLeavePage of [...leaveHandlers]) {
    if (!(await mayLeavePage())) return false;
  }
  return true;
}
