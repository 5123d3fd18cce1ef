import { Box, useApp, useWindowSize } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { type KeyPress, useKeys } from './use-keys.ts';

interface ScreenProps<State, Action, Command> {
  store: ScreenStore<State, Action>;
  /** Returns what a key does in a state. */
  press(state: State, key: KeyPress): readonly (Action | Command)[];
  /** Runs a command of a key. */
  act(command: Command): void;
  /** Suspends the shell job of this process. Returns when the job resumes. */
  stopJob(): void;
  children(state: State, size: { columns: number; rows: number }): ReactNode;
}

/** Fills the terminal with the state, and takes the steps of keys. Ctrl-Z gives the terminal to the shell until the job resumes. */
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
    // The terminal may have another size than before, and the stopped process got no signal for it.
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
