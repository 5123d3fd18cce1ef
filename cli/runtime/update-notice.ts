import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { readCache, writeCache } from '../settings/cache-file.ts';
import type { World } from '../settings/world.ts';

/** The running program. */
export interface Program {
  version: string;
  /** True if the package is not published. Its name in the registry may belong to another package, so no registry is asked. */
  isPrivate: boolean;
}

const CACHE = 'update';
const DAY_MS = 24 * 3_600_000;
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * Announces a newer version once a day, using the version that an earlier command stored. Also starts a background process once a day
 * that asks the registry for the newest version. The command waits for neither. Only the version request is sent.
 */
export function noticeUpdate(program: Program, world: World, begin: () => void = beginCheck): void {
  if (program.isPrivate || !isWanted(world)) return;
  const now = Date.now();
  const known = readCache(CACHE, world);
  const { latest, checked_at, noticed_at } = known;
  if (typeof latest === 'string' && isNewer(latest, program.version) && !isWithinDay(noticed_at, now)) {
    world.stderr.write(
      `nameplate ${latest} is available (you have ${program.version}): npm install nameplate@latest\n`,
    );
    writeCache(CACHE, { ...known, noticed_at: now }, world);
  }
  if (isWithinDay(checked_at, now)) return;
  // Stored before the check starts, so that a failed check is not repeated by every command of the day.
  writeCache(CACHE, { ...readCache(CACHE, world), checked_at: now }, world);
  begin();
}

/** Asks the registry that the user's npm is configured with, and stores the newest version. On any error, stores nothing. */
export async function checkForUpdate(world: World): Promise<void> {
  const registry = registryOf(world);
  if (registry === null) return;
  try {
    const response = await nodeFetch(`${registry}/nameplate/latest`, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: null,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      redirect: 'manual',
    });
    const { version } = JSON.parse(await response.text());
    if (!response.ok || typeof version !== 'string' || !VERSION.test(version)) return;
    writeCache(CACHE, { ...readCache(CACHE, world), latest: version }, world);
  } catch {
    // No network, or a registry without this package: the next check is a day later.
  }
}

/** Returns true on a terminal, unless the user turned update notices off for this program or for npm. */
function isWanted({ env, stderr, stdout }: World): boolean {
  const { CI, NAMEPLATE_NO_UPDATE_CHECK, NO_UPDATE_NOTIFIER, npm_config_update_notifier } = env;
  if (CI || NAMEPLATE_NO_UPDATE_CHECK || NO_UPDATE_NOTIFIER || npm_config_update_notifier === 'false')
    return false;
  return stderr.isTTY === true && stdout.isTTY === true;
}

/** Returns the registry from the user's own npm settings, or null. Ignores a project's .npmrc, so that a cloned repository cannot choose it. */
function registryOf({ env }: World): string | null {
  const named = env.npm_config_registry ?? /^[ \t]*registry[ \t]*=[ \t]*(\S+)/m.exec(userNpmrc(env))?.[1];
  if (named === undefined || !URL.canParse(named)) return null;
  const { origin, pathname } = new URL(named);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

function userNpmrc(env: NodeJS.ProcessEnv): string {
  try {
    return readFileSync(env.npm_config_userconfig || path.join(env.HOME || homedir(), '.npmrc'), 'utf8');
  } catch {
    return ''; // The file is optional.
  }
}

function beginCheck(): void {
  const [script] = process.argv.slice(1);
  if (script === undefined) return;
  const child = spawn(process.execPath, [script, '__check-update'], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // The next check is a day later.
  child.unref();
}

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Returns true if `latest` is a newer release. A release is newer than its own pre-release. A pre-release is never recommended. */
function isNewer(latest: string, current: string): boolean {
  const [one, other] = [VERSION.exec(latest), VERSION.exec(current.split('-')[0] ?? '')];
  if (one === null || other === null) return false;
  for (const part of [1, 2, 3]) {
    const difference = Number(one[part]) - Number(other[part]);
    if (difference !== 0) return difference > 0;
  }
  return current.includes('-');
}

function isWithinDay(at: unknown, now: number): boolean {
  return typeof at === 'number' && at <= now && now - at < DAY_MS;
}
