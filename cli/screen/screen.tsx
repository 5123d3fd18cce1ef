import { Box, useApp, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { type KeyPress, useKeys } from './use-keys.ts';

interface ScreenProps {
  onKey(key: KeyPress): void;
  /** Suspends the shell job of this process. Returns when the job resumes. */
  stopJob(): void;
  children: ReactNode;
}

/** Fills the terminal, and passes keys on. Ctrl-Z gives the terminal to the shell until the job resumes. */
export function Screen({ onKey, stopJob, children }: ScreenProps) {
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  const suspend = async () => {
    await suspendTerminal(async () => stopJob());
    // The terminal may have another size than before, and the stopped process got no signal for it.
    process.emit('SIGWINCH', 'SIGWINCH');
  };
  useKeys((key) => {
    if (key.name === 'ctrl-z') void suspend();
    else onKey(key);
  });
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {children}
    </Box>
  );
}
