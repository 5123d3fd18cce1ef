import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFakeApi } from '../fake-api.ts';
import { appOf, TEST_KEY } from '../resources.ts';
import { emptyFolder } from '../run-cli.ts';

/** This file makes folders with config files. Each place for a key has a different key, and a server returns which key it received. */
export const KEYS = {
  env: `${TEST_KEY.slice(0, -3)}env`,
  project: `${TEST_KEY.slice(0, -3)}prj`,
  user: `${TEST_KEY.slice(0, -3)}usr`,
  other: `${TEST_KEY.slice(0, -3)}oth`,
};

export function appServer() {
  return startFakeApi({ 'GET /v1/apps/current': { body: appOf() } });
}

/** Creates the user's config folder with these profiles, as `login` writes them. */
export function userConfig(
  profiles: Record<string, { base_url: string; api_key: string }>,
  inUse = 'default',
): string {
  const folder = emptyFolder();
  const lines = Object.entries(profiles).flatMap(([name, profile]) => [
    `[profiles.${name}]`,
    `base_url = "${profile.base_url}"`,
    `api_key = "${profile.api_key}"`,
  ]);
  mkdirSync(path.join(folder, 'nameplate'));
  const file = path.join(folder, 'nameplate', 'config.toml');
  writeFileSync(file, [`profile = "${inUse}"`, ...lines].join('\n'), { mode: 0o600 });
  return folder;
}

export function projectConfig(lines: string[]): string {
  const folder = emptyFolder();
  mkdirSync(path.join(folder, '.nameplate'));
  writeFileSync(path.join(folder, '.nameplate', 'config.toml'), lines.join('\n'));
  return folder;
}
