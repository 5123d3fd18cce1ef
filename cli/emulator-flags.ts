import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { boolean, integer, string } from '@oclif/core/flags';
import type { Emulator, EmulatorOptions } from '../emulator/start.ts';
import { CliError, usageError } from './cli-error.ts';

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
 * @throws CliError `port_in_use`, `usage`
 */
export async function startEmulatorWith(flags: Flags, file: string | null): Promise<Emulator> {
  if (file !== null) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const clock = (['real', 'auto', 'frozen'] as const).find((mode) => mode === flags.clock);
  const options: EmulatorOptions = {
    port: flags.port,
    file,
    // The one after the API's, so that an address in the browser's history works tomorrow.
    edge_port: flags['edge-port'] ?? (flags.port === 0 ? 0 : flags.port + 1),
    ...(flags.origin !== undefined && { origin: httpUrl(flags.origin, '--origin') }),
    ...(flags.webhook !== undefined && { webhook: httpUrl(flags.webhook, '--webhook') }),
    ...(clock !== undefined && { clock }),
  };
  const { startEmulator } = await import('../emulator/start.ts');
  try {
    return await startEmulator(options);
  } catch (error) {
    const taken = portInUse(error);
    throw taken === undefined ? error : portError(taken, error);
  }
}

function httpUrl(text: string, flag: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usageError(
    `${flag} is not an http or https address.`,
    `Give one such as ${flag} http://127.0.0.1:3000.`,
  );
}

/** The port that another program has, wherever in the chain of causes it is told; 0 when it is not. */
function portInUse(error: unknown): number | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === 'EADDRINUSE') return 'port' in cause ? Number(cause.port) : 0;
  }
  return undefined;
}

function portError(port: number, cause: unknown): CliError {
  return new CliError('port_in_use', port === 0 ? 'The port is in use.' : `Port ${port} is in use.`, {
    fix: 'Stop what listens there (nameplate emulator stop), or start with --port 0 for a free one.',
    cause,
  });
}
