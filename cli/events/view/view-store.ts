import { reduceView, type ViewAction, type ViewState } from './view-state.ts';

/** The one state of the screen: the feed, the keys and what they ask for change it by actions. */
export interface ViewStore {
  get(): ViewState;
  dispatch(action: ViewAction): void;
  /** @returns how to stop listening. */
  subscribe(listener: () => void): () => void;
}

export function createViewStore(initial: ViewState): ViewStore {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      state = reduceView(state, action);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
