import { stderrLog } from '../../emulator/stderr-log.ts';
import { handleEscapedErrors } from '../../shared/adapters/escaped-errors.ts';
import { CliError } from '../runtime/cli-error.ts';

/** Watches this process, which runs an emulator, for uncaught errors. */
export interface FaultWatch {
  /** @throws CliError if an error stopped the emulator. */
  check(): void;
  /** Stops watching, so that Node handles uncaught errors as usual. */
  off(): void;
}

/**
 * Watches this process for uncaught errors until `off` is called.
 * @param file the file with the emulator's state; null if the state is in memory. @param onFatal called once, when the emulator must stop.
 */
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
      ? 'Its state was in memory and is lost.'
      : `Its state is in ${file}. Start it again to continue.`;
  return new CliError('unexpected', `The emulator stopped because of an unhandled error: ${message}`, {
    fix: `Report the error printed above. ${state}`,
    cause: error,
  });
}
