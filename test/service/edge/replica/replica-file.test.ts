import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReplica } from '../../../../service/edge/replica/replica.ts';
import { putAside, replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { newFolder, replicaIn, sealed, tamper, textOf } from './sample-values.ts';

const KEY = 'host.careers.acme.com';

const value = (text: string, version: readonly [number, number], key = KEY) => sealed(key, { text }, version);
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => value(`${n}`, [1, 1], `host.${n}.acme.com`));

describe("a replica's file that cannot be used is put aside", () => {
  function closedReplica(): string {
    const { folder, ...replica } = replicaIn();
    replica.apply([...numbered(500), value('one', [1, 1])]);
    replica.close();
    return folder;
  }

  it('a file of an unknown format is refused', () => {
    const folder = closedReplica();
    tamper(folder, 'pragma user_version = 99');
    expect(() => openReplica(folder)).toThrow('unknown format 99');
  });

  it.each([
    ['truncated', (file: string) => truncateSync(file, 20_000)],
    ['overwritten', (file: string) => writeFileSync(file, 'this is not a database, but a text. '.repeat(99))],
  ])('a file that was %s is refused, put aside whole, and replaced by an empty replica', (_, damage) => {
    const folder = closedReplica();
    damage(replicaFile(folder));
    const damaged = readFileSync(replicaFile(folder));
    expect(() => openReplica(folder)).toThrow(/malformed|not a database/);
    const aside = putAside(folder);
    expect(readFileSync(aside).equals(damaged)).toBe(true);
    const fresh = replicaIn(folder);
    expect([fresh.count(''), fresh.position()]).toEqual([0, null]);
  });

  it.skipIf(!existsSync('/proc/self/fd')).each<[string, (folder: string) => void]>([
    ['overwritten', (folder) => writeFileSync(replicaFile(folder), 'no database. '.repeat(9_999))],
    ['of an unknown format', (folder) => tamper(folder, 'pragma user_version = 99')],
    ['without a table', (folder) => tamper(folder, 'drop table changes')],
  ])('a file %s leaves no connection open', (_, damage) => {
    const folder = closedReplica();
    damage(folder);
    expect(() => openReplica(folder)).toThrow();
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ''; // The list of the files was itself an open file.
      }
    });
    expect(links.filter((link) => link.startsWith(folder))).toEqual([]);
  });

  it('a folder keeps only the newest file that was put aside', () => {
    const folder = closedReplica();
    for (let round = 0; round < 3; round++) {
      const replica = replicaIn(folder);
      replica.apply([value(`${round}`, [1, round + 1])]);
      const aside = putAside(folder);
      replica.close();
      const files = readdirSync(folder).map((name) => `${folder}/${name}`);
      expect(files.filter((name) => !name.startsWith(aside))).toEqual([]);
      expect(files).toContain(aside);
    }
  });

  it('a process notices that another process has put the file aside, and changes the new file neither by writing nor by closing', () => {
    const { folder, ...old } = replicaIn();
    old.apply([value('old', [1, 9])]);
    expect(old.isReplaced()).toBe(false);
    putAside(folder);
    expect(old.isReplaced()).toBe(true);
    const fresh = replicaIn(folder);
    fresh.apply([value('new', [1, 1])]);
    old.apply([value('late', [1, 10])]);
    old.close();
    fresh.apply([value('two', [1, 1], 'app.2')]);
    expect(fresh.isReplaced()).toBe(false);
    const again = replicaIn(folder);
    expect([KEY, 'app.2'].map((key) => textOf(again, key))).toEqual(['new', 'two']);
  });

  it('a file is opened while another process writes it, because opening a file does not write', () => {
    const folder = closedReplica();
    const other = new DatabaseSync(replicaFile(folder));
    onTestFinished(() => other.close());
    other.exec("begin immediate; update stored set value = x'00'");
    expect(textOf(replicaIn(folder), KEY)).toBe('one');
  });

  it('a new folder is private to its user', () => {
    const folder = `${newFolder()}/new`;
    replicaIn(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});
