import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { nodeFetch } from '../shared/client/node-fetch.ts';
import { createRequest } from '../shared/client/request.ts';
import { isLoopbackHost } from '../shared/core/address.ts';

/** The file by which a command finds the emulator that runs on this machine: written by `emulator start`, 0600, since it holds its keys. */
export interface EmulatorState {
  pid: number;
  port: number;
  url: string;
  control_url: string;
  edge_url: string;
  started_at: string;
  api_key: string;
  live_api_key: string;
  webhook_secret: string;
  sandbox_origin: string;
}

const ANSWER_TIMEOUT_MS = 1_000;

/** `NAMEPLATE_STATE_DIR`, else the user's folder for state (XDG Base Directory, or the platform's own). */
export function emulatorStateFolder(env: NodeJS.ProcessEnv): string {
  return env.NAMEPLATE_STATE_DIR ?? path.join(userStateFolder(env), 'nameplate');
}

export function emulatorStateFile(env: NodeJS.ProcessEnv): string {
  return path.join(emulatorStateFolder(env), 'emulator.json');
}

/** Replaces the file in one step, so that a reader sees the old state or the new one. */
export function writeEmulatorState(state: EmulatorState, env: NodeJS.ProcessEnv): void {
  const file = emulatorStateFile(env);
  const draft = `${file}.${state.pid}`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Removes the file unless another emulator has written its own since. */
export function removeEmulatorState(pid: number, env: NodeJS.ProcessEnv): void {
  if (readState(env)?.pid === pid) rmSync(emulatorStateFile(env), { force: true });
}

/** The emulator of the state file when its process lives and its address answers as that emulator; else null. */
export async function findRunningEmulator(env: NodeJS.ProcessEnv): Promise<EmulatorState | null> {
  const state = readState(env);
  if (state === null || !isAlive(state.pid)) return null;
  return (await answersAs(state)) ? state : null;
}

/** True while the process of a state file runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // ESRCH: gone. EPERM: another user's process, so not the one that wrote our file.
    return false;
  }
}

/** True when the address answers with the process and the key of the state: not another program that took the port. */
async function answersAs(state: EmulatorState): Promise<boolean> {
  try {
    const { control_url: base_url, api_key, pid } = state;
    const options = { base_url, headers: {}, fetch: nodeFetch, retries: 0, timeout_ms: ANSWER_TIMEOUT_MS };
    const status = await createRequest(options)<{ pid?: unknown; keys?: { test?: unknown } }>({
      method: 'GET',
      path: '/status',
    });
    return status.pid === pid && status.keys?.test === api_key;
  } catch {
    // Nothing listens there, or it is no emulator: the file is stale.
    return false;
  }
}

function readState(env: NodeJS.ProcessEnv): EmulatorState | null {
  try {
    const state: unknown = JSON.parse(readFileSync(emulatorStateFile(env), 'utf8'));
    return isState(state) ? state : null;
  } catch {
    // No file, or one that a crash left half written: no emulator is known.
    return null;
  }
}

function isState(value: unknown): value is EmulatorState {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Partial<Record<keyof EmulatorState, unknown>>;
  const has_text = (
    ['url', 'control_url', 'edge_url', 'api_key', 'live_api_key', 'webhook_secret'] as const
  ).every((name) => typeof state[name] === 'string');
  // A pid of 0 or below would name a group of processes.
  const has_pid = Number.isInteger(state.pid) && Number(state.pid) > 1;
  return has_text && has_pid && isOnThisMachine(state.url) && isOnThisMachine(state.control_url);
}

/** Keys of an emulator go to this machine only. */
function isOnThisMachine(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

function userStateFolder(env: NodeJS.ProcessEnv): string {
  if (env.XDG_STATE_HOME) return env.XDG_STATE_HOME;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  return path.join(homedir(), '.local/state');
}
