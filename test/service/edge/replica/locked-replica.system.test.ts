import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { processWith } from './forked-replica.ts';
import { APP_ID, appValue, HOST, hostValue, newFolder, OTHER, sealed } from './sample-values.ts';
import { originOf, valueSource } from './value-source.ts';

const SOON = { interval: 10 };

/** Returns whether a process is in a transaction that writes a file. */
function isLocked(folder: string): boolean {
  const database = new DatabaseSync(replicaFile(folder), { timeout: 0 });
  try {
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

test('a machine follows its source again after a process froze in a write, and the process then writes only the old file', async () => {
  const { open, publish } = await valueSource();
  const folder = newFolder();
  await (await open(folder)).close();
  const writer = await processWith(folder);
  expect(await writer.ask({ name: 'holdsLease' })).toBe(true);
  const machine = { at: 0, now: () => machine.at };
  const edges = [await open(folder, { machine }), await open(folder, { machine })];
  const frozen = writer.ask({
    name: 'freeze',
    value: { key: `host.${OTHER}`, epoch: 9, number: 9, value: 'late' },
  });
  onTestFinished(() => void writer.signal('SIGCONT'));
  await expect.poll(() => isLocked(folder), SOON).toBe(true);
  await publish(
    sealed(`host.${HOST}`, null, [1, 2]),
    sealed(`app.${APP_ID}`, appValue('https://two.example'), [1, 2]),
  );
  const served = () => {
    machine.at += 200;
    return edges.map((edge) => [edge.find('host', HOST), edge.find('host', OTHER), originOf(edge)]);
  };
  const right = [null, hostValue(), 'https://two.example'];
  await expect.poll(served, SOON).toEqual([right, right]);
  expect(machine.at).toBeGreaterThan(10_000);
  writer.signal('SIGCONT');
  expect(await frozen).toBeNull();
  expect(await writer.ask({ name: 'isReplaced' })).toBe(true);
  await publish(sealed(`app.${APP_ID}`, appValue('https://three.example'), [1, 3]));
  await expect.poll(served, SOON).toEqual(Array(2).fill([null, hostValue(), 'https://three.example']));
  const names = readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
  expect(names).toEqual(['replica.sqlite', expect.stringMatching(/^replica\.sqlite\.2/)]);
});
