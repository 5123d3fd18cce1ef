import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { World } from './world.ts';

/** Reads a small JSON cache file. Returns an empty object if the file is missing or broken. */
export function readCache(name: string, world: World): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(name, world), 'utf8'));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Replaces a cache file atomically; only its owner can read it. Ignores errors, because the cache only saves time. */
export function writeCache(name: string, content: Record<string, unknown>, world: World): void {
  const file = fileOf(name, world);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The disk is full or read-only. The next command then finds no cache and asks the server.
  }
}

function fileOf(name: string, { env }: World): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = env;
  const home = HOME || homedir();
  const folder =
    XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)
      ? XDG_CACHE_HOME
      : process.platform === 'win32' && LOCALAPPDATA
        ? LOCALAPPDATA
        : path.join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  return path.join(folder, 'nameplate', `${name}.json`);
}
