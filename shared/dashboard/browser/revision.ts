import { createStore, useStore } from './store.ts';

const revision = createStore(0);

/** Returns a number that increases whenever the data on the page may be out of date. */
export function useRevision(): number {
  return useStore(revision);
}

/** Makes all components read their data again. */
export function refresh(): void {
  revision.set(revision.get() + 1);
}
