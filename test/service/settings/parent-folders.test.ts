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

/** Creates a folder that every user may enter, and in it a `.nameplate` folder that only its owner may enter, as the emulator makes it. */
function withNameplate(): { top: string; nameplate: string; data_dir: string } {
  const top = openFolder();
  const nameplate = path.join(top, '.nameplate');
  const dataDir = path.join(nameplate, 'service');
  mkdirSync(nameplate, { mode: 0o700 });
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o711);
  return { top, nameplate, data_dir: dataDir };
}

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

test("allowPassage lets Postgres enter the emulator's folder, but not list it", () => {
  const { nameplate, data_dir } = withNameplate();
  expect(findClosedParent([data_dir], STRANGER)).toBe(nameplate);
  allowPassage(data_dir);
  expect(modeOf(nameplate)).toBe(0o701);
  expect(findClosedParent([data_dir], STRANGER)).toBeNull();
});

test("allowPassage does not change other permission bits of the emulator's folder", () => {
  const { nameplate, data_dir } = withNameplate();
  chmodSync(nameplate, 0o2700);
  allowPassage(data_dir);
  expect(statSync(nameplate).mode & 0o7777).toBe(0o2701);
});

test.skipIf(process.geteuid?.() !== 0)(
  "allowPassage does not change another user's folder, even if it has the name of the emulator's folder",
  () => {
    const { nameplate, data_dir } = withNameplate();
    chownSync(nameplate, STRANGER.uid, STRANGER.gid);
    allowPassage(data_dir);
    expect(modeOf(nameplate)).toBe(0o700);
  },
);

test('allowPassage does not change other folders, and findClosedParent names them', () => {
  const { top, nameplate, data_dir } = withNameplate();
  chmodSync(top, 0o700);
  allowPassage(data_dir);
  expect(modeOf(top)).toBe(0o700);
  expect(findClosedParent([nameplate, data_dir], STRANGER)).toBe(top);
  const { uid, gid } = statSync(top);
  expect(findClosedParent([data_dir], { uid, gid })).toBeNull();
});

test("allowPassage does not change a folder if a symbolic link with the name of the emulator's folder points to it", () => {
  const { top, nameplate } = withNameplate();
  const linked = path.join(openFolder(), '.nameplate');
  symlinkSync(nameplate, linked);
  allowPassage(path.join(linked, 'service'));
  expect(modeOf(nameplate)).toBe(0o700);
  expect(modeOf(top)).toBe(0o711);
});

test('findClosedParent respects the permissions of the group and of other users', () => {
  const { nameplate, data_dir } = withNameplate();
  chmodSync(nameplate, 0o710);
  const { gid } = statSync(nameplate);
  expect(findClosedParent([data_dir], { uid: STRANGER.uid, gid })).toBeNull();
  expect(findClosedParent([data_dir], STRANGER)).toBe(nameplate);
});
