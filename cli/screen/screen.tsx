import { Box, useApp, useWindowSize } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { type KeyPress, useKeys } from './use-keys.ts';

interface ScreenProps<State, Action, Command> {
  store: ScreenStore<State, Action>;
  /** Returns the actions and commands of a key in the current state. */
  press(state: State, key: KeyPress): readonly (Action | Command)[];
  /** Runs a command of a key. */
  act(command: Command): void;
  /** Suspends the shell job of this process. Returns when the job resumes. */
  stopJob(): void;
  children(state: State, size: { columns: number; rows: number }): ReactNode;
}

/**
 * Draws the state on the whole terminal, and runs the actions and commands of pressed keys. Ctrl-Z gives the terminal to the shell until
 * the job resumes.
 */
export function Screen<State, Action extends { kind: string }, Command extends { do: string }>({
  store,
  press,
  act,
  stopJob,
  children,
}: ScreenProps<State, Action, Command>) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  const suspend = async () => {
    await suspendTerminal(async () => stopJob());
    // A stopped process gets no signal when the terminal is resized, so act as if the signal arrived now.
    process.emit('SIGWINCH', 'SIGWINCH');
  };
  useKeys((key) => {
    if (key.name === 'ctrl-z') return void suspend();
    for (const step of press(store.get(), key)) {
      if ('do' in step) act(step);
      else store.dispatch(step);
    }
  });
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {children(state, { columns, rows })}
    </Box>
  );
}

/** Holds the state of a screen. The event feed, keys and commands change the state by dispatching actions. */
export interface ScreenStore<State, Action> {
  get(): State;
  dispatch(action: Action): void;
  /** Calls the listener after each change. Returns a function that removes the listener. */
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
