import { boolean, integer, string } from '@oclif/core/flags';
import type { Emulator, EmulatorOptions } from '../emulator/start.ts';
import { CliError } from './cli-error.ts';

/** What `emulator start` and `emulator exec` share: their flags, and starting with errors that say what to do. */
export const emulatorFlags = {
  'edge-port': integer({
    summary: 'Port of the edge; 0 takes a free one. The one after --port by default',
    min: 0,
    max: 65_535,
    helpValue: '<port>',
  }),
  file: string({ summary: 'Keep the state in this file', helpValue: '<path.db>', exclusive: ['ephemeral'] }),
  origin: string({ summary: "The app's origin; plain HTTP on this machine is fine", helpValue: '<url>' }),
  webhook: string({ summary: 'Where events are sent', helpValue: '<url>' }),
  clock: string({ summary: 'How time passes', options: ['real', 'auto', 'frozen'] }),
};

export const ephemeralFlag = { ephemeral: boolean({ summary: 'Keep the state in memory only' }) };

interface Flags {
  port: number;
  'edge-port'?: number | undefined;
  origin?: string | undefined;
  webhook?: string | undefined;
  clock?: string | undefined;
}

/**
 * Starts an emulator inside this process.
 * @param file null keeps the state in memory.
 * @throws CliError `port_in_use`, `database_in_use`, `database_unusable`, `usage`
 */
export async function startEmulatorWith(flags: Flags, file: string | null): Promise<Emulator> {
  const clock = (['real', 'auto', 'frozen'] as const).find((mode) => mode === flags.clock);
  const options: EmulatorOptions = {
    port: flags.port,
    file,
    // The one after the API's, so that an address in the browser's history works tomorrow.
    edge_port: flags['edge-port'] ?? (flags.port === 0 ? 0 : flags.port + 1),
    ...(flags.origin !== undefined && { origin: flags.origin }),
    ...(flags.webhook !== undefined && { webhook: flags.webhook }),
    ...(clock !== undefined && { clock }),
  };
  const { startEmulator } = await import('../emulator/start.ts');
  try {
    return await startEmulator(options);
  } catch (error) {
    throw startError(error);
  }
}

/** What keeps an emulator from starting and somebody can change, wherever in the chain of causes it is told. */
function startError(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const told = 'code' in cause ? START_ERRORS[String(cause.code)]?.(cause) : undefined;
    if (told) return new CliError(told.code, told.message, { fix: told.fix, cause: error });
  }
  return error;
}

const START_ERRORS: Record<string, (error: Error) => { code: string; message: string; fix: string }> = {
  EADDRINUSE: (error) => ({
    code: 'port_in_use',
    message: 'port' in error ? `Port ${error.port} is in use.` : 'The port is in use.',
    fix: 'Stop what listens there (nameplate emulator stop), or start with --port 0 for a free one.',
  }),
  origin_not_allowed: ({ message }) => ({
    code: 'usage',
    message,
    fix: 'Give --origin a scheme and host, such as http://127.0.0.1:3000.',
  }),
  validation_failed: ({ message }) => ({
    code: 'usage',
    message,
    fix: 'Give --webhook an address such as http://127.0.0.1:3000/webhooks.',
  }),
  database_in_use: ({ message }) => ({
    code: 'database_in_use',
    message: `${message}.`,
    fix: 'Stop the emulator that has it (nameplate emulator stop), or start with another --file or with --ephemeral.',
  }),
  database_unusable: ({ message }) => ({
    code: 'database_unusable',
    message: `${message}.`,
    fix: 'Name a file that an emulator made, or a new one, with --file, or start with --ephemeral.',
  }),
};
