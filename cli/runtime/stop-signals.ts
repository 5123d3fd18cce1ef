/** The signals that ask a process to end. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/** Calls the listener for every signal that asks this process to end, instead of ending it. `off` restores the default. */
export function onStopSignals(listener: (signal: NodeJS.Signals) => void): { off: () => void } {
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return {
    off() {
      for (const signal of STOP_SIGNALS) process.off(signal, listener);
    },
  };
}
