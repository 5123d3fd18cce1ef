import { reduceView, type ViewAction, type ViewState } from './view-state.ts';

/** The state of the screen. The feed, the keys and the commands change it by actions. */
export interface ViewStore {
  get(): ViewState;
  dispatch(action: ViewAction): void;
  /** Returns a function that removes the listener. */
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
