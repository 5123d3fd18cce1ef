import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openReplica } from '../../../../service/edge/replica/replica.ts';
import { putAside, replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { watchedStore } from './followed-database.ts';
import { hostValue, newFolder, OTHER, replicaIn, sealed, tamper } from './sample-values.ts';
import { valueSource } from './value-source.ts';

const PAGE_BYTES = 8_192;
const SOON = { interval: 10 };

/** Overwrites the page of the file that has the value of a key. No process may have the file open. */
function damagePageOf(folder: string, key: string): void {
  const replica = openReplica(folder);
  const value = replica.find(key)?.value;
  replica.close();
  const bytes = readFileSync(replicaFile(folder));
  const size = bytes.readUInt16BE(16);
  const page = Math.floor(bytes.indexOf(value ?? '') / size);
  bytes.fill(0xff, page * size, (page + 1) * size);
  writeFileSync(replicaFile(folder), bytes);
}

describe("a machine's file that is no replica of this installation", () => {
  const UNUSABLE = 'the replica of this edge cannot be used: it is put aside';
  const PUT_ASIDE = 'the replica of this edge cannot be opened: it is put aside';

  it.each<[string, (folder: string) => void]>([
    ['truncated', (folder) => truncateSync(replicaFile(folder), 10_000)],
    ['overwritten', (folder) => writeFileSync(replicaFile(folder), 'no database. '.repeat(9_999))],
    ['of an unknown format', (folder) => tamper(folder, 'pragma user_version = 2')],
  ])('is put aside if it is %s, and the edge reads a first copy', async (_, damage) => {
    const { open } = await valueSource();
    const folder = newFolder();
    await (await open(folder)).close();
    damage(folder);
    const edge = await open(folder);
    expect(edge.messages()).toEqual([PUT_ASIDE]);
    expect([edge.find('host', OTHER), edge.counts().hostnames]).toEqual([hostValue(), 2]);
    expect(readdirSync(folder).filter((name) => name.includes('T'))).not.toEqual([]);
  });

  it('is put aside if a request meets a damaged page, and the edge serves what it can until a new copy is complete', async () => {
    const { open, publish } = await valueSource();
    const folder = newFolder();
    const hosts = Array.from({ length: 400 }, (_, n) => `h${n}.acme.com`);
    await publish(...hosts.map((name) => sealed(`host.${name}`, hostValue())));
    await (await open(folder)).close();
    damagePageOf(folder, 'host.h200.acme.com');
    const edge = await open(folder);
    const find = (name: string) => {
      try {
        return edge.find('host', name);
      } catch {
        return 'failed';
      }
    };
    const found = hosts.map(find);
    expect(found).toContain('failed');
    expect(found).not.toContain(null);
    await expect
      .poll(() => new Set(hosts.map((name) => JSON.stringify(find(name)))), SOON)
      .toEqual(new Set([JSON.stringify(hostValue())]));
    expect(edge.messages()).toContain(UNUSABLE);
    expect(new Set(edge.messages()).size).toBe(edge.messages().length);
    await publish(sealed('host.new.acme.com', hostValue()));
    await expect.poll(() => find('new.acme.com'), SOON).toEqual(hostValue());
  });

  it('a new file is put aside too if it is damaged before it is complete', async () => {
    const { open, publish, take } = await valueSource();
    const folder = newFolder();
    const edge = await open(folder);
    take(true);
    putAside(folder);
    await expect.poll(() => existsSync(replicaFile(folder)), SOON).toBe(true);
    damagePages(folder);
    await publish(sealed('host.new.acme.com', hostValue()));
    take(false);
    await expect.poll(() => edge.find('host', 'new.acme.com'), SOON).toEqual(hostValue());
    expect(edge.messages()).toContain(UNUSABLE);
  });

  it('a file of another installation is put aside, and the machine then serves only values of its own installation', async () => {
    const folder = newFolder();
    const foreign = await valueSource('another');
    await foreign.publish(sealed('host.foreign.example', hostValue(), [9, 9]));
    await (await foreign.open(folder)).close();
    const { open, store } = await valueSource('one');
    const asides = () => readdirSync(folder).filter((name) => name.includes('T'));
    let [isAway, isCopied] = [true, false];
    const slow = watchedStore(store, () => {
      if (isAway) throw new Error('the database is away');
      if (!isCopied && asides().length > 0) throw new Error('no process can complete a new copy yet');
    });
    const edges = await Promise.all([open(folder, { store: slow }), open(folder, { store: slow })]);
    const found = (name: string) => edges.map((edge) => edge.find('host', name));
    expect(found('foreign.example')).toEqual([hostValue(), hostValue()]);
    isAway = false;
    await expect.poll(() => found('foreign.example'), SOON).toEqual([null, null]);
    expect(edges.flatMap((edge) => edge.messages()).filter((line) => line === UNUSABLE)).toHaveLength(1);
    for (const edge of edges) expect(edge.changed).toContain(null);
    isCopied = true;
    await expect.poll(() => found(OTHER), SOON).toEqual([hostValue(), hostValue()]);
    for (const edge of edges) await edge.close();
    const again = replicaIn(folder);
    expect([again.position()?.installation, again.count('host.'), asides().length > 0]).toEqual([
      'one',
      2,
      true,
    ]);
  });

  it('a process that starts with a file of another installation waits for a first copy', async () => {
    const folder = newFolder();
    await (await (await valueSource('another')).open(folder)).close();
    const { open, publish } = await valueSource('one');
    await publish(sealed(`host.${OTHER}`, hostValue({ origin: 'https://one.example' }), [1, 2]));
    const edge = await open(folder);
    expect(edge.find('host', OTHER)).toEqual(hostValue({ origin: 'https://one.example' }));
  });
});

/** Overwrites a file after its first page, which has only the schema. Processes may have the file open. */
function damagePages(folder: string): void {
  tamper(folder, 'pragma wal_checkpoint(truncate)');
  const bytes = Buffer.alloc(statSync(replicaFile(folder)).size - PAGE_BYTES, 0xff);
  const file = openSync(replicaFile(folder), 'r+');
  writeSync(file, bytes, 0, bytes.length, PAGE_BYTES);
  closeSync(file);
}
