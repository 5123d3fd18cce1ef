import { isIP } from 'node:net';
import { nearestWord } from '../shared/core/text/nearest-word.ts';
import type { Log } from '../shared/ports/system.ts';
import type { Seed } from './seed/seed-schema.ts';
import { CLOCK_MODES, type ClockMode } from './time/adjustable-clock.ts';

/** The options of `startEmulator`. */
export interface EmulatorOptions {
  /** Port of the API. 0, the default, takes a free port. */
  port?: number;
  /** Port of the edge. 0, the default, takes a free port. */
  edgePort?: number;
  /**
   * IP address that the API and the edge listen on: 127.0.0.1 by default. Any other address opens the emulator, which has no password, to
   * the network.
   */
  listen?: string;
  /** Names that the emulator accepts in the `Host` header, besides localhost and IP addresses (`docs/emulator.md`). */
  allowedHosts?: readonly string[];
  /** SQLite file with the state. Without a file, the state is in memory and is lost when the process ends. */
  file?: string | null;
  /** `origin_url` of the default app. */
  origin?: string;
  /** `webhook_url` of the default app. */
  webhook?: string;
  clock?: ClockMode;
  /** State to start with, and to return to on reset: the path of a YAML or JSON file, which is watched, or its content. */
  seed?: string | Seed;
  /**
   * Folder with the certificate authority of the edge's HTTPS, so that you have to trust it only once. Without a folder, each start creates
   * a new authority in memory.
   */
  caFolder?: string;
  /** Seed of the ids, keys, secrets and tokens. Two runs with the same seed create the same values. */
  seedIds?: string | number;
  /** Receives warnings and errors. Writes to standard error by default. */
  log?: Log;
  /** Called when a request to the control surface stops the emulator. By default, the emulator closes itself. */
  onStop?: () => void;
}

const NODE_MAJOR_MIN = 24;

/** Checks the Node version. @throws Error if this Node is too old for the emulator. */
export function checkNode(version: string): void {
  if (Number.parseInt(version.replace(/^v/, ''), 10) >= NODE_MAJOR_MIN) return;
  throw new Error(
    `startEmulator needs Node ${NODE_MAJOR_MIN} or newer, but this is ${version}. Install a newer Node, or run npm install --save-dev node@${NODE_MAJOR_MIN} and start the tests with npm test or npx.`,
  );
}

/**
 * Checks the options at runtime, because a JavaScript caller can pass anything. @throws TypeError that names the option and the values it
 * accepts.
 */
export function checkEmulatorOptions(options: EmulatorOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('startEmulator takes an object of options.');
  for (const [name, value] of Object.entries(options)) {
    const option = OPTIONS[name];
    if (option === undefined) throw unknownOption(name);
    if (value !== undefined && !option.accepts(value))
      throw new TypeError(`startEmulator: ${name} must be ${option.expected}.`);
  }
}

const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$/;
/** Returns whether a value is a hostname without scheme and port. */
export function isHostName(value: unknown): boolean {
  return typeof value === 'string' && HOST_NAME.test(value);
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isFunction = (value: unknown) => typeof value === 'function';
const PORT = {
  expected: 'a port from 0 to 65535',
  accepts: (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
};
const URL_TEXT = { expected: 'an address such as http://127.0.0.1:3000', accepts: isText };

interface OptionRule {
  expected: string;
  accepts: (value: unknown) => boolean;
}

const OPTIONS: Readonly<Record<string, OptionRule>> = {
  port: PORT,
  edgePort: PORT,
  listen: { expected: 'an IP address such as 0.0.0.0', accepts: (value) => isIP(String(value)) !== 0 },
  allowedHosts: {
    expected: 'an array of hostnames without a port',
    accepts: (value) => Array.isArray(value) && value.every(isHostName),
  },
  file: { expected: 'a path, or null for memory', accepts: (value) => value === null || isText(value) },
  origin: URL_TEXT,
  webhook: URL_TEXT,
  clock: {
    expected: `one of ${CLOCK_MODES.join(', ')}`,
    accepts: (value) => CLOCK_MODES.some((mode) => mode === value),
  },
  seed: {
    expected: 'the path of a seed file, or its content as an object',
    accepts: (value) => isText(value) || isObject(value),
  },
  caFolder: { expected: 'a path', accepts: isText },
  seedIds: { expected: 'a string or a number', accepts: (value) => isText(value) || Number.isFinite(value) },
  log: { expected: 'an object with info, warn and error', accepts: isObject },
  onStop: { expected: 'a function', accepts: isFunction },
} satisfies Record<keyof EmulatorOptions, OptionRule>;

function unknownOption(name: string): TypeError {
  const names = Object.keys(OPTIONS);
  const meant = nearestWord(name, names);
  const hint = meant === null ? `The options are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  return new TypeError(`startEmulator: unknown option ${JSON.stringify(name)}. ${hint}`);
}
