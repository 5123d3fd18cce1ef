import { stderrLog } from '../emulator/stderr-log.ts';
import { handleEscapedErrors } from '../shared/ports/escaped-errors.ts';
import { CliError } from './cli-error.ts';

/** Watches for errors that no code of an emulator's process handles. */
export interface FaultWatch {
  /** @throws CliError if an error came after which the emulator could not go on. */
  check(): void;
  /** Gives such errors back to Node. */
  off(): void;
}

/** @param onFatal called once, when the emulator has to end. @param file where its state is kept; null for memory. */
export function watchForFaults(file: string | null, onFatal: () => void): FaultWatch {
  let fatal: CliError | null = null;
  const off = handleEscapedErrors({
    log: stderrLog,
    onFatal(error) {
      if (fatal !== null) return;
      fatal = faultOf(error, file);
      onFatal();
    },
  });
  return {
    check() {
      if (fatal !== null) throw fatal;
    },
    off,
  };
}

function faultOf(error: unknown, file: string | null): CliError {
  const message = error instanceof Error ? error.message : String(error);
  const state =
    file === null
      ? 'Its state was in memory and is gone.'
      : `Its state is in ${file}: start it again to go on.`;
  return new CliError('unexpected', `The emulator stopped, because no code handled an error: ${message}`, {
    fix: `Report the error that is printed above. ${state}`,
    cause: error,
  });
}
