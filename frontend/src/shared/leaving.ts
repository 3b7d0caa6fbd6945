/** Who asks whether what is not saved may be lost. */
const asking = new Set<() => Promise<boolean>>();

/** From now on leaving asks here; until the answer is called. */
export function askBeforeLeaving(ask: () => Promise<boolean>): () => void {
  asking.add(ask);
  return () => asking.delete(ask);
}

/** For what leaves a page by more than a change of address, such as a logout: whether it may. */
export async function mayLeave(): Promise<boolean> {
  for (const ask of [...asking]) {
    if (!(await ask())) return false;
  }
  return true;
}
