import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openReplica } from '../../../../service/edge/replica/replica.ts';
import { replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { hostValue, newFolder, OTHER, replicaIn, sealed, tamper } from './sample-values.ts';
import { valueSource } from './value-source.ts';

const SOON = { timeout: 10_000, interval: 10 };

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
    expect(edge.messages()).toContain('the replica of this edge is damaged: it is put aside');
    expect(new Set(edge.messages()).size).toBe(edge.messages().length);
    await publish(sealed('host.new.acme.com', hostValue()));
    await expect.poll(() => find('new.acme.com'), SOON).toEqual(hostValue());
  });

  it('is put aside if it belongs to another installation, and nothing of it is served afterwards', async () => {
    const folder = newFolder();
    const foreign = await valueSource('another');
    await foreign.publish(sealed('host.foreign.example', hostValue(), [9, 9]));
    await (await foreign.open(folder)).close();
    const { open } = await valueSource('one');
    const edge = await open(folder);
    await expect
      .poll(edge.messages, SOON)
      .toEqual(['the replica of this edge belongs to another installation: it is put aside']);
    await expect.poll(() => edge.find('host', 'foreign.example'), SOON).toBeNull();
    await expect.poll(() => edge.find('host', OTHER), SOON).toEqual(hostValue());
    expect(edge.changed).toContain(null);
    await edge.close();
    const again = replicaIn(folder);
    expect([again.position()?.installation, again.count('host.')]).toEqual(['one', 2]);
  });
});
