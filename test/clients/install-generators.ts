import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * The cache is below `node_modules`, which `npm ci` in the repository removes. In any other folder, the compiler and the linter would find
 * its files.
 */
const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/nameplate');
const FILES = ['package.json', 'package-lock.json'];

/**
 * Installs the generators that `package.json` pins, unless an earlier run has done so.
 * @returns the folder that contains their `node_modules`, or why they could not be installed.
 */
export function installGenerators(): { folder: string } | { missing: string } {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(readFileSync(path.join(import.meta.dirname, file)));
  const folder = path.join(CACHE, `clients-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return { folder };
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(path.join(CACHE, 'unfinished-'));
  try {
    for (const file of FILES) copyFileSync(path.join(import.meta.dirname, file), path.join(unfinished, file));
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: unfinished, stdio: 'pipe', timeout: 300_000 });
    renameSync(unfinished, folder);
    return { folder };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // A parallel run has installed them in the meantime.
    if (existsSync(folder)) return { folder };
    return {
      missing: `the generators could not be installed: ${error instanceof Error ? error.message : error}`,
    };
  }
}
