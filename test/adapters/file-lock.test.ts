import fs, { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tryFileLock } from '../../shared/adapters/file-lock.ts';
import { spyOnBuiltIn } from '../fixtures/spy-on-built-in.ts';

let parent: string;
let lock: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'nameplate-lock-'));
  lock = path.join(parent, 'lock');
});
afterEach(() => rmSync(parent, { recursive: true }));

const STALE_MS = 5_000;

function tryLock(): (() => void) | null {
  return tryFileLock(lock, { now: Date.now(), staleMs: STALE_MS });
}

function take(): () => void {
  const release = tryLock();
  if (release === null) throw new Error('the lock is held');
  return release;
}

/** Takes the lock long ago, like a process that has since hung or died, so that the lock is stale. */
function takeLongAgo(): () => void {
  const release = take();
  const then = new Date(Date.now() - 2 * STALE_MS);
  for (const name of ['', ...readdirSync(lock)]) utimesSync(path.join(lock, name), then, then);
  return release;
}

test('the file lock has one holder at a time, and leaves no file behind', () => {
  const release = take();
  expect(tryLock()).toBeNull();
  release();
  take()();
  expect(readdirSync(parent)).toEqual([]);
});

test('a file lock whose holder is gone is taken over', () => {
  takeLongAgo();
  take()();
  expect(readdirSync(parent)).toEqual([]);
});

test('a stale file lock that two processes find at the same moment goes to one of them', () => {
  takeLongAgo();
  const { statSync } = fs;
  const stat = spyOnBuiltIn(fs, 'statSync');
  stat.mockImplementationOnce((...args: Parameters<typeof statSync>) => {
    const result = statSync(...args);
    take();
    return result;
  });
  expect(tryLock()).toBeNull();
  expect(stat).toHaveBeenCalled();
  expect(tryLock()).toBeNull();
});

test('the file lock stays with its new holder when the previous holder releases it late', () => {
  const releaseLate = takeLongAgo();
  const release = take();
  releaseLate();
  expect(tryLock()).toBeNull();
  release();
  releaseLate();
  expect(readdirSync(parent)).toEqual([]);
});

test('the file lock is free after a process was killed while releasing it', () => {
  take();
  for (const name of readdirSync(lock)) rmSync(path.join(lock, name));
  expect(existsSync(lock)).toBe(true);
  take();
});

test('the error of the file lock names a folder that cannot be written', () => {
  expect(() => tryFileLock(path.join(parent, 'none', 'lock'), { now: 0, staleMs: 1 })).toThrow('ENOENT');
});
