import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allowPassage, findClosedParent } from '../../../service/settings/parent-folders.ts';

const STRANGER = { uid: 54_321, gid: 54_321 };

function openFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-way-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o711);
  return folder;
}

/** An open folder with `.nameplate` in it as the emulator makes it. */
function withNameplate(): { top: string; nameplate: string; data_dir: string } {
  const top = openFolder();
  const nameplate = path.join(top, '.nameplate');
  const data_dir = path.join(nameplate, 'service');
  mkdirSync(nameplate, { mode: 0o700 });
  mkdirSync(data_dir);
  chmodSync(data_dir, 0o711);
  return { top, nameplate, data_dir };
}

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

test('a folder that the emulator made lets Postgres through, and is still not listed', () => {
  const { nameplate, data_dir } = withNameplate();
  expect(findClosedParent([data_dir], STRANGER)).toBe(nameplate);
  allowPassage(data_dir);
  expect(modeOf(nameplate)).toBe(0o701);
  expect(findClosedParent([data_dir], STRANGER)).toBeNull();
});

test('what else its mode says stays', () => {
  const { nameplate, data_dir } = withNameplate();
  chmodSync(nameplate, 0o2700);
  allowPassage(data_dir);
  expect(statSync(nameplate).mode & 0o7777).toBe(0o2701);
});

test.skipIf(process.geteuid?.() !== 0)("a folder of our name that is another user's stays closed", () => {
  const { nameplate, data_dir } = withNameplate();
  chownSync(nameplate, STRANGER.uid, STRANGER.gid);
  allowPassage(data_dir);
  expect(modeOf(nameplate)).toBe(0o700);
});

test("nobody else's folder is opened, and it is named", () => {
  const { top, nameplate, data_dir } = withNameplate();
  chmodSync(top, 0o700);
  allowPassage(data_dir);
  expect(modeOf(top)).toBe(0o700);
  expect(findClosedParent([nameplate, data_dir], STRANGER)).toBe(top);
  const { uid, gid } = statSync(top);
  expect(findClosedParent([data_dir], { uid, gid })).toBeNull();
});

test('neither is what a link of our name leads to', () => {
  const { top, nameplate } = withNameplate();
  const linked = path.join(openFolder(), '.nameplate');
  symlinkSync(nameplate, linked);
  allowPassage(path.join(linked, 'service'));
  expect(modeOf(nameplate)).toBe(0o700);
  expect(modeOf(top)).toBe(0o711);
});

test('a group that may enter may, and another user of no group may not', () => {
  const { nameplate, data_dir } = withNameplate();
  chmodSync(nameplate, 0o710);
  const { gid } = statSync(nameplate);
  expect(findClosedParent([data_dir], { uid: STRANGER.uid, gid })).toBeNull();
  expect(findClosedParent([data_dir], STRANGER)).toBe(nameplate);
});
