import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { readCache, writeCache } from '../settings/cache-file.ts';
import type { World } from '../settings/world.ts';

/** What is known of this program. */
export interface Program {
  version: string;
  /** Not published: the name may be somebody else's in the registry, so nobody is asked. */
  is_private: boolean;
}

const CACHE = 'update';
const DAY_MS = 24 * 3_600_000;
const ANSWER_MS_MAX = 5_000;

/**
 * Says once a day that there is a newer version, from what an earlier command has found out, and once a day has that found out by a
 * process of its own. The command itself waits for neither. Nothing is sent but the request for the version.
 */
export function noticeUpdate(program: Program, world: World, begin: () => void = beginCheck): void {
  if (program.is_private || !isWanted(world)) return;
  const now = Date.now();
  const known = readCache(CACHE, world);
  const { latest, checked_at, noticed_at } = known;
  if (typeof latest === 'string' && isNewer(latest, program.version) && !isOfToday(noticed_at, now)) {
    world.stderr.write(
      `nameplate ${latest} is there, this is ${program.version}: npm install nameplate@latest\n`,
    );
    writeCache(CACHE, { ...known, noticed_at: now }, world);
  }
  if (isOfToday(checked_at, now)) return;
  // Written first: what fails is not tried again by each command of the day.
  writeCache(CACHE, { ...readCache(CACHE, world), checked_at: now }, world);
  begin();
}

/** Asks the registry of the user's npm; what goes wrong leaves everything as it was. */
export async function checkForUpdate(world: World): Promise<void> {
  const registry = registryOf(world);
  if (registry === null) return;
  try {
    const answer = await nodeFetch(`${registry}/nameplate/latest`, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: null,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      redirect: 'manual',
    });
    const { version } = JSON.parse(await answer.text());
    if (!answer.ok || typeof version !== 'string' || !VERSION.test(version)) return;
    writeCache(CACHE, { ...readCache(CACHE, world), latest: version }, world);
  } catch {
    // No network, another registry: tomorrow is another day.
  }
}

/** A person at a terminal, who has not said no to us or to npm. */
function isWanted({ env, stderr, stdout }: World): boolean {
  const { CI, NAMEPLATE_NO_UPDATE_CHECK, NO_UPDATE_NOTIFIER, npm_config_update_notifier } = env;
  if (CI || NAMEPLATE_NO_UPDATE_CHECK || NO_UPDATE_NOTIFIER || npm_config_update_notifier === 'false')
    return false;
  return stderr.isTTY === true && stdout.isTTY === true;
}

/** The user's own setting alone: a cloned folder's .npmrc does not choose whom we ask. Null where there is none: nobody is asked. */
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
    return ''; // Most people have none.
  }
}

function beginCheck(): void {
  const [script] = process.argv.slice(1);
  if (script === undefined) return;
  const child = spawn(process.execPath, [script, '__check-update'], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // Then it is not found out today.
  child.unref();
}

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Of releases: a pre-release is not recommended, and is left for its release. */
function isNewer(latest: string, current: string): boolean {
  const [one, other] = [VERSION.exec(latest), VERSION.exec(current.split('-')[0] ?? '')];
  if (one === null || other === null) return false;
  for (const part of [1, 2, 3]) {
    const difference = Number(one[part]) - Number(other[part]);
    if (difference !== 0) return difference > 0;
  }
  return current.includes('-');
}

function isOfToday(at: unknown, now: number): boolean {
  return typeof at === 'number' && at <= now && now - at < DAY_MS;
}
