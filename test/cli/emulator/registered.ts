import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type EmulatorState, registerEmulator } from '../../../emulator/registry.ts';
import { TEST_KEY } from '../resources.ts';
import { emptyFolder } from '../run-cli.ts';

/** Returns a registry entry for an emulator at this URL that runs in this process. */
export function emulatorState(url: string, fields: Partial<EmulatorState> = {}): EmulatorState {
  return {
    pid: process.pid,
    port: Number(new URL(url).port),
    url,
    control_url: `${url}/_emulator`,
    edge_url: url,
    folder: '/nowhere',
    started_at: '2026-11-20T12:00:00.000Z',
    api_key: TEST_KEY,
    live_api_key: TEST_KEY,
    webhook_secret: 'whsec_a',
    sandbox_origin: url,
    ...fields,
  };
}

/** Returns an environment whose registry contains these emulators. */
export function envWith(...states: EmulatorState[]): { NAMEPLATE_STATE_DIR: string } {
  const env = { NAMEPLATE_STATE_DIR: emptyFolder() };
  for (const state of states) registerEmulator(state, env);
  return env;
}

/** Lists the files of the registry. */
export function registryFiles({ NAMEPLATE_STATE_DIR = '' }: NodeJS.ProcessEnv): string[] {
  const folder = path.join(NAMEPLATE_STATE_DIR, 'emulators');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}
