/** The state of a screen. The feed, the keys and the commands change it by actions. */
export interface ScreenStore<State, Action> {
  get(): State;
  dispatch(action: Action): void;
  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

export function createScreenStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): ScreenStore<State, Action> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      state = reduce(state, action);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
