import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ApiError, NetworkError } from '../shared/client/client-error.ts';
import { nodeFetch } from '../shared/client/node-fetch.ts';
import { isThisMachine } from '../shared/client/proxy.ts';
import { createRequest } from '../shared/client/request.ts';
import type { ClockMode } from './time/adjustable-clock.ts';

/**
 * The content of the file by which commands find an emulator of this user. `emulator start` writes one file for each emulator, named by the
 * process id. Only the owner can read the file (0600), because it has the emulator's API keys.
 */
export interface EmulatorState {
  pid: number;
  port: number;
  url: string;
  control_url: string;
  edge_url: string;
  /** The folder in which the emulator was started. */
  folder: string;
  started_at: string;
  api_key: string;
  live_api_key: string;
  webhook_secret: string;
  sandbox_origin: string;
}

/** A running emulator, with the time of its clock when it was found. `clock` is null if the emulator was too busy to respond. */
export interface FoundEmulator extends EmulatorState {
  clock: { mode: ClockMode; now: string } | null;
}

const RESPONSE_TIMEOUT_MS = 1_000;

/**
 * Returns the folder for the state of emulators: `NAMEPLATE_STATE_DIR`, else a folder in the user's state folder (XDG Base Directory, or
 * the platform's equivalent).
 */
export function emulatorStateFolder(env: NodeJS.ProcessEnv): string {
  return env.NAMEPLATE_STATE_DIR ?? path.join(userStateFolder(env), 'nameplate');
}

/** Adds an emulator to the registry. The file is written atomically, so that a reader never finds a part of it. */
export function registerEmulator(state: EmulatorState, env: NodeJS.ProcessEnv): void {
  const file = registryFile(state.pid, env);
  const draft = `${file}.draft`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Removes the emulator with this process id from the registry. */
export function unregisterEmulator(pid: number, env: NodeJS.ProcessEnv): void {
  rmSync(registryFile(pid, env), { force: true });
}

/**
 * Finds the running emulators, in the order of their start. Includes an emulator that is too busy to respond, so that commands do not use
 * another emulator instead. Removes the files of emulators that no longer run.
 */
export async function findRunningEmulators(env: NodeJS.ProcessEnv): Promise<FoundEmulator[]> {
  const found = await Promise.all(registeredPids(env).map((pid) => findRunning(pid, env)));
  return found
    .filter((emulator) => emulator !== null)
    .sort((one, other) => one.started_at.localeCompare(other.started_at) || one.port - other.port);
}

/** Returns true if a process with this id runs and belongs to this user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // ESRCH: there is no such process. EPERM: the process belongs to another user, so it did not write our file.
    return false;
  }
}

async function findRunning(pid: number, env: NodeJS.ProcessEnv): Promise<FoundEmulator | null> {
  if (isProcessAlive(pid)) {
    const state = readState(pid, env);
    // Keep a file that cannot be used now: the network interface with the emulator's address may only be down.
    if (state === null) return null;
    const found = await askForClock(state);
    if (found !== null) return found;
  }
  unregisterEmulator(pid, env);
  return null;
}

/** Asks an emulator for its clock. Returns null if nothing listens at its address, or another program responds there. */
async function askForClock(state: EmulatorState): Promise<FoundEmulator | null> {
  try {
    const { control_url: baseUrl, api_key, pid } = state;
    const options = {
      baseUrl,
      headers: {},
      fetch: nodeFetch,
      retries: 0,
      timeoutMs: RESPONSE_TIMEOUT_MS,
    };
    const status = await createRequest(options)<StatusResponse>({ method: 'GET', path: '/status' });
    const isItself = status.pid === pid && status.keys?.test === api_key;
    return isItself ? { ...state, clock: status.clock ?? null } : null;
  } catch (error) {
    return isFromAnother(error) ? null : { ...state, clock: null };
  }
}

interface StatusResponse {
  pid?: unknown;
  keys?: { test?: unknown };
  clock?: { mode: ClockMode; now: string };
}

/**
 * Returns true if the error shows that no emulator is at the address: nothing listens there, or the response cannot come from an emulator.
 * After any other error, such as a timeout or a 5xx, the emulator may only be busy.
 */
function isFromAnother(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 500 && error.status !== 429;
  const cause = error instanceof NetworkError ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return cause === undefined || code === 'ECONNREFUSED' || code.startsWith('HPE_');
}

function registryFolder(env: NodeJS.ProcessEnv): string {
  return path.join(emulatorStateFolder(env), 'emulators');
}

function registryFile(pid: number, env: NodeJS.ProcessEnv): string {
  return path.join(registryFolder(env), `${pid}.json`);
}

/** Returns the process ids of all registered emulators. Ignores ids below 2, because 0 means a process group and 1 is the init process. */
function registeredPids(env: NodeJS.ProcessEnv): number[] {
  try {
    return readdirSync(registryFolder(env))
      .map((name) => Number(/^([1-9]\d*)\.json$/.exec(name)?.[1] ?? 0))
      .filter((pid) => pid > 1);
  } catch {
    // If the folder does not exist, no emulator was ever started.
    return [];
  }
}

function readState(pid: number, env: NodeJS.ProcessEnv): EmulatorState | null {
  try {
    const file = registryFile(pid, env);
    if (!isOwn(file)) return null;
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isState(state) && state.pid === pid ? state : null;
  } catch {
    // The file was removed meanwhile, or is not a registry file.
    return null;
  }
}

/** Returns true if this user owns the file. In a shared folder, another user could write a file that names their own server. */
function isOwn(file: string): boolean {
  return process.getuid === undefined || statSync(file).uid === process.getuid();
}

function isState(value: unknown): value is EmulatorState {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Partial<Record<keyof EmulatorState, unknown>>;
  const hasText = (
    [
      'url',
      'control_url',
      'edge_url',
      'folder',
      'started_at',
      'api_key',
      'live_api_key',
      'webhook_secret',
    ] as const
  ).every((name) => typeof state[name] === 'string');
  return hasText && [state.url, state.control_url, state.edge_url].every(isOnThisMachine);
}

/** Returns true for an address of this machine. An emulator's API keys are never sent to another machine. */
function isOnThisMachine(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && isThisMachine(new URL(url).hostname);
}

function userStateFolder(env: NodeJS.ProcessEnv): string {
  if (env.XDG_STATE_HOME) return env.XDG_STATE_HOME;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  return path.join(homedir(), '.local/state');
}
