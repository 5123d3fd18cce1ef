import { isIP } from 'node:net';
import path from 'node:path';
import type { Interfaces } from '@oclif/core';
import { boolean, integer, string } from '@oclif/core/flags';
import { type EmulatorOptions, isHostName } from '../../emulator/emulator-options.ts';
import { findRunningEmulators } from '../../emulator/registry.ts';
import { type RunningEmulator, runEmulator } from '../../emulator/run-emulator.ts';
import { type ShownEmulator, showEmulator } from '../../emulator/shown-emulator.ts';
import { plainText } from '../output/plain-text.ts';
import { CliError } from '../runtime/cli-error.ts';
import { emulatorName } from './emulator-choice.ts';

/** The flags that `emulator start` and `emulator exec` share. */
export const emulatorFlags = {
  'edge-port': integer({
    summary: 'Port of the edge (0: any free port; default: --port + 1)',
    min: 0,
    max: 65_535,
    helpValue: '<port>',
  }),
  listen: string({
    summary: 'IP address to listen on, such as 0.0.0.0 in a container (default: 127.0.0.1)',
    helpValue: '<address>',
  }),
  'allow-host': string({
    summary: 'Accept this name in the Host header, repeatable',
    helpValue: '<name>',
    multiple: true,
  }),
  file: string({ summary: 'Keep the state in this file', helpValue: '<path.db>', exclusive: ['ephemeral'] }),
  origin: string({ summary: "The app's origin, such as http://127.0.0.1:3000", helpValue: '<url>' }),
  webhook: string({ summary: 'Where events are sent', helpValue: '<url>' }),
  clock: string({ summary: 'How time passes', options: ['real', 'auto', 'frozen'] }),
  seed: string({
    summary: 'Seed file (YAML or JSON), applied at start, after a reset, and when it changes',
    helpValue: '<file>',
  }),
  'seed-ids': string({
    summary: 'Create the same ids, keys and secrets in every run with this text',
    helpValue: '<text>',
  }),
};

export const ephemeralFlag = { ephemeral: boolean({ summary: 'Keep the state in memory only' }) };

type Flags = { port: number } & Partial<Interfaces.InferredFlags<typeof emulatorFlags>>;

/** Options that the calling command adds to its flags. */
export interface StartOptions extends Pick<EmulatorOptions, 'onStop' | 'caFolder'> {
  /** The file with the emulator's state; null if the state is only in memory. */
  file: string | null;
  /** The folder to which paths in flags are relative. */
  cwd: string;
  /** The environment, which decides where the registry of running emulators is. */
  env: NodeJS.ProcessEnv;
}

export interface StartedEmulator extends ShownEmulator, Pick<RunningEmulator, 'load' | 'watch'> {}

/**
 * Starts an emulator inside this process.
 * @throws CliError `port_in_use`, `database_in_use`, `database_unusable`, `seed_invalid`, `seed_unreadable`, `usage`
 */
export async function startEmulatorWith(
  flags: Flags,
  { file, cwd, env, ...given }: StartOptions,
): Promise<StartedEmulator> {
  const clock = (['real', 'auto', 'frozen'] as const).find((mode) => mode === flags.clock);
  const options: EmulatorOptions = {
    port: flags.port,
    file,
    // The default port is fixed, so that an address in the browser's history still works after a restart.
    edgePort: flags['edge-port'] ?? (flags.port === 0 ? 0 : flags.port + 1),
    ...(flags.listen !== undefined && { listen: readListen(flags.listen) }),
    ...(flags['allow-host'] !== undefined && { allowedHosts: flags['allow-host'].map(readAllowedHost) }),
    ...(flags.origin !== undefined && { origin: flags.origin }),
    ...(flags.webhook !== undefined && { webhook: flags.webhook }),
    ...(clock !== undefined && { clock }),
    ...(flags.seed !== undefined && { seed: path.resolve(cwd, flags.seed) }),
    ...(flags['seed-ids'] !== undefined && { seedIds: flags['seed-ids'] }),
    ...given,
  };
  try {
    const running = await runEmulator(options);
    return Object.assign(showEmulator(running), { load: running.load, watch: running.watch });
  } catch (error) {
    throw (await heldByEmulator(error, env)) ?? startError(error);
  }
}

/** @throws CliError `usage` */
function readListen(address: string): string {
  if (isIP(address) !== 0) return address;
  throw new CliError('usage', `--listen must be an IP address, not ${plainText(address)}.`, {
    fix: 'Use an address such as 127.0.0.1, or 0.0.0.0 for every network of this machine.',
  });
}

/** @throws CliError `usage` */
function readAllowedHost(name: string): string {
  if (isHostName(name)) return name;
  throw new CliError('usage', `--allow-host must be a hostname, not ${plainText(name)}.`, {
    fix: 'Use a name without scheme and port, such as host.docker.internal.',
  });
}

/**
 * If the start failed because another emulator uses the port, returns an error that names this emulator. Returns null if another program
 * uses the port, or for any other error.
 */
async function heldByEmulator(error: unknown, env: NodeJS.ProcessEnv): Promise<CliError | null> {
  if (!(error instanceof Error && 'port' in error && 'code' in error && error.code === 'EADDRINUSE'))
    return null;
  const { port } = error;
  const running = await findRunningEmulators(env);
  const holder = running.find(({ url, edge_url }) =>
    [url, edge_url].some((each) => Number(new URL(each).port) === port),
  );
  if (holder === undefined) return null;
  return new CliError('port_in_use', `Port ${port} is in use by the emulator at ${emulatorName(holder)}.`, {
    fix: `Stop it (nameplate emulator stop --base-url ${holder.url}), or start with --port 0 for a free port.`,
    cause: error,
  });
}

/** Returns a `CliError` with a fix if the error, or one of its causes, is a known start error. Returns any other error unchanged. */
export function startError(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const name = 'code' in cause ? String(cause.code) : '';
    const known = START_ERRORS[name];
    if (known === undefined) continue;
    const [code, fix, status] = known;
    const message =
      name === 'EADDRINUSE' ? portWords(cause) : `${cause.message}${ENDLESS.test(name) ? '.' : ''}`;
    return new CliError(code, message, { fix, ...(status !== undefined && { status }), cause: error });
  }
  return error;
}

function portWords(error: Error): string {
  return 'port' in error ? `Port ${error.port} is in use.` : 'The port is in use.';
}

/** The codes of errors whose messages have no full stop. */
const ENDLESS = /^(?:EADDRNOTAVAIL|database_)/;

/** The known start errors by their codes. The HTTP status decides the exit code. */
const START_ERRORS: Readonly<Record<string, readonly [code: string, fix: string, status?: number]>> = {
  EADDRNOTAVAIL: ['usage', 'Use --listen with an address of this machine, or 0.0.0.0 for all of them.'],
  EADDRINUSE: ['port_in_use', 'Stop the program that uses the port, or start with --port 0 for a free port.'],
  origin_not_allowed: ['usage', 'Use --origin with a scheme and host, such as http://127.0.0.1:3000.'],
  validation_failed: ['usage', 'Use --webhook with an address such as http://127.0.0.1:3000/webhooks.'],
  seed_invalid: [
    'seed_invalid',
    'Correct these lines. The schema is shared/docs/seed.schema.json in this package.',
    422,
  ],
  seed_unreadable: ['seed_unreadable', 'Check that the file exists and is readable.', 422],
  ca_unusable: ['ca_unusable', 'Remove the file to create a new one, or make it readable and writable.'],
  database_in_use: [
    'database_in_use',
    'Stop the emulator that uses it (nameplate emulator stop), or start with another --file or with --ephemeral.',
  ],
  database_unusable: [
    'database_unusable',
    'Use --file with a new file or with a database that this version can read, or start with --ephemeral.',
  ],
};
