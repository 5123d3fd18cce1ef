import { useSyncExternalStore } from 'react';

/** A value shared by the whole page. Components that use it render again when it changes. */
export interface SharedValue<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function createSharedValue<T>(value: T): SharedValue<T> {
  let current = value;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSharedValue<T>(store: SharedValue<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
