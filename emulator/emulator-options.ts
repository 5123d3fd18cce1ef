import { isIP } from 'node:net';
import { editDistance } from '../shared/core/text/edit-distance.ts';
import type { Log } from '../shared/ports/log.ts';
import type { Seed } from './seed/seed-schema.ts';
import { CLOCK_MODES, type ClockMode } from './time/adjustable-clock.ts';

/** What `startEmulator` takes. */
export interface EmulatorOptions {
  /** Of the API; 0, the default, takes a free one. */
  port?: number;
  /** Of the edge; 0, the default, takes a free one. */
  edge_port?: number;
  /** IP address of the API and the edge: 127.0.0.1 by default. Any other opens the emulator, which asks for no password, to a network. */
  listen?: string;
  /** Names that a request may have as its Host, beside localhost and addresses (`docs/emulator.md`). */
  allowedHosts?: readonly string[];
  /** SQLite file that keeps the state. Without one it is in memory and gone with the process. */
  file?: string | null;
  /** `origin_url` of the default app. */
  origin?: string;
  /** `webhook_url` of the default app. */
  webhook?: string;
  clock?: ClockMode;
  /** What to start with, and what a reset goes back to: a file (YAML or JSON), which is watched, or its content. */
  seed?: string | Seed;
  /** Keeps the certificate authority of the edge's HTTPS, to be trusted once. Without it the authority is in memory. */
  ca_folder?: string;
  /** Makes the same ids, keys, secrets and tokens in every run. */
  seed_ids?: string | number;
  /** Where warnings and errors go: standard error by default. */
  log?: Log;
  /** Called when somebody asks the control surface to end the emulator; it closes itself otherwise. */
  on_stop?: () => void;
}

const NODE_MAJOR_MIN = 24;

/** @throws Error on a Node that lacks what the emulator is made of. */
export function checkNode(version: string): void {
  if (Number.parseInt(version.replace(/^v/, ''), 10) >= NODE_MAJOR_MIN) return;
  throw new Error(
    `startEmulator needs Node ${NODE_MAJOR_MIN} or newer, and this is ${version}. Install a newer Node and run the tests with that.`,
  );
}

/** From JavaScript anything may come. @throws TypeError that names the option and says what it takes. */
export function checkOptions(options: EmulatorOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('startEmulator takes an object of options.');
  for (const [name, value] of Object.entries(options)) {
    const taken = TAKEN[name];
    if (taken === undefined) throw unknownOption(name);
    if (value !== undefined && !taken.fits(value))
      throw new TypeError(`startEmulator: ${name} must be ${taken.what}.`);
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
  what: 'a port from 0 to 65535',
  fits: (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
};
const URL_TEXT = { what: 'an address such as http://127.0.0.1:3000', fits: isText };

interface Taken {
  what: string;
  fits: (value: unknown) => boolean;
}

const TAKEN: Readonly<Record<string, Taken>> = {
  port: PORT,
  edge_port: PORT,
  listen: { what: 'an IP address such as 0.0.0.0', fits: (value) => isIP(String(value)) !== 0 },
  allowedHosts: {
    what: 'an array of hostnames without a port',
    fits: (value) => Array.isArray(value) && value.every(isHostName),
  },
  file: { what: 'a path, or null for memory', fits: (value) => value === null || isText(value) },
  origin: URL_TEXT,
  webhook: URL_TEXT,
  clock: {
    what: `one of ${CLOCK_MODES.join(', ')}`,
    fits: (value) => CLOCK_MODES.some((mode) => mode === value),
  },
  seed: {
    what: 'the path of a seed file, or its content as an object',
    fits: (value) => isText(value) || isObject(value),
  },
  ca_folder: { what: 'a path', fits: isText },
  seed_ids: { what: 'a text or a number', fits: (value) => isText(value) || Number.isFinite(value) },
  log: { what: 'an object with info, warn and error', fits: isObject },
  on_stop: { what: 'a function', fits: isFunction },
} satisfies Record<keyof EmulatorOptions, Taken>;

function unknownOption(name: string): TypeError {
  const names = Object.keys(TAKEN);
  const nearest =
    names.toSorted((one, other) => editDistance(one, name) - editDistance(other, name))[0] ?? '';
  const hint =
    editDistance(nearest, name) <= 2 ? `Did you mean ${nearest}?` : `There are ${names.join(', ')}.`;
  return new TypeError(`startEmulator: there is no option ${JSON.stringify(name)}. ${hint}`);
}
