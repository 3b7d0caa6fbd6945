import { useLayoutEffect, useState, useSyncExternalStore } from 'react';

import { createStore, type Store } from '@/shared/store';

/** A part of a form's state. Each input subscribes to its own part, so that a key renders only one input. */
export type FormStore<T> = Pick<Store<T>, 'get' | 'subscribe'>;

/** Returns a part of a store. `select` must return the same object while its part has not changed. */
export function useSelection<T, Part>({ get, subscribe }: FormStore<T>, select: (state: T) => Part): Part {
  return useSyncExternalStore(subscribe, () => select(get()));
}

/** Returns a store with a value of a component's state, for forms that keep their values there. */
export function useStoreOf<T>(value: T): FormStore<T> {
  const [store] = useState(() => createStore(value));
  useLayoutEffect(() => {
    if (store.get() !== value) store.set(value);
  }, [store, value]);
  return store;
}
