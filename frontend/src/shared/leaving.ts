/** Who asks whether what is not saved may be lost; one page asks at a time. */
let asking: (() => Promise<boolean>) | null = null;

/** From now on leaving asks here; until the answer is called. */
export function askBeforeLeaving(ask: () => Promise<boolean>): () => void {
  asking = ask;
  return () => {
    if (asking === ask) asking = null;
  };
}

/** For what leaves a page by more than a change of address, such as a logout: whether it may. */
export async function mayLeave(): Promise<boolean> {
  return asking === null || asking();
}
