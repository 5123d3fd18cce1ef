import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { replicaFile } from '../../../../service/edge/replica/replica-file.ts';
import { describeUnlessMissing } from '../../../fixtures/describe-unless-missing.ts';
import { CONTAINER, processWith } from './forked-replica.ts';
import type { TextValue } from './replica-process.ts';
import { newFolder, replicaIn } from './sample-values.ts';

const KEY = 'host.careers.acme.com';
const value = (text: string, number: number): TextValue => ({ key: KEY, epoch: 1, number, value: text });
const PROCESSES = 6;
/** After this time without a sign of life from the writer, another process takes the lease. */
const LEASE_MS = 2_000;

function text(replica: ReturnType<typeof replicaIn>): string | null {
  const found = replica.find(KEY);
  return found === null ? null : Buffer.from(found.value).toString();
}

test('the lease of a replica moves at once from a process that was killed', async () => {
  const folder = newFolder();
  const writer = await processWith(folder);
  const replica = replicaIn(folder);
  expect(await writer.ask({ name: 'holdsLease' })).toBe(true);
  await writer.ask({ name: 'apply', values: [value('one', 1)] });
  expect(replica.holdsLease(0)).toBe(false);
  await writer.kill();
  expect(replica.holdsLease(0)).toBe(true);
  expect(text(replica)).toBe('one');
});

test('the lease of a replica moves from a frozen process after two seconds, and the process does no harm when it runs again', async () => {
  const folder = newFolder();
  const writer = await processWith(folder);
  const replica = replicaIn(folder);
  expect(await writer.ask({ name: 'holdsLease' })).toBe(true);
  await writer.ask({ name: 'apply', values: [value('one', 1)] });
  expect(replica.holdsLease(0)).toBe(false);
  expect(await writer.ask({ name: 'holdsLease' })).toBe(true);
  expect(replica.holdsLease(LEASE_MS)).toBe(false);
  writer.signal('SIGSTOP');
  // The frozen process has read these values from its source, and stores them when it runs again.
  const late = writer.ask({
    name: 'apply',
    values: [value('late', 2), { ...value('gone', 2), key: 'host.b.com' }],
  });
  expect(replica.holdsLease(2 * LEASE_MS - 1)).toBe(false);
  expect(replica.holdsLease(2 * LEASE_MS)).toBe(true);
  replica.apply([
    { key: KEY, epoch: 1, number: 3, value: Buffer.from('newest') },
    { key: 'host.b.com', epoch: 1, number: 4, value: null },
  ]);
  replica.beat(9_000, null);
  const beats = replica.lastBeat();
  writer.signal('SIGCONT');
  expect(await late).toContain('another process writes the replica');
  await writer.ask({ name: 'beat', at: 1_000 });
  expect([text(replica), replica.find('host.b.com')]).toEqual(['newest', null]);
  expect(replica.lastBeat()).toEqual(beats);
  expect(await writer.ask({ name: 'holdsLease' })).toBe(false);
});

const [unshare, ...namespaces] = CONTAINER;
const missing =
  spawnSync(unshare, [...namespaces, 'true']).status === 0 ? null : 'unshare cannot create process ids here';

describeUnlessMissing(missing, 'containers that share a folder', () => {
  test('the lease of a replica stays with a process outside the container, and moves once it gives no sign of life for two seconds', async () => {
    const replica = replicaIn();
    expect(replica.holdsLease(0)).toBe(true);
    const contained = await processWith(replica.folder, CONTAINER);
    const takesLease = () => contained.ask({ name: 'holdsLease' });
    expect(await takesLease()).toBe(false);
    expect(replica.holdsLease(0)).toBe(true);
    const shown = performance.now();
    expect(await takesLease()).toBe(false);
    await expect.poll(takesLease).toBe(true);
    expect(performance.now() - shown).toBeGreaterThanOrEqual(LEASE_MS);
    // The process in the container has ended. A process outside has the same id.
    await contained.kill();
    expect(replica.holdsLease(0)).toBe(false);
    expect(replica.holdsLease(LEASE_MS)).toBe(true);
  });
});

test('many processes that open a new folder at the same moment share one replica, and one of them gets the lease', async () => {
  const folder = newFolder();
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => processWith(folder)));
  const holders = await Promise.all(processes.map((each) => each.ask({ name: 'holdsLease' })));
  expect(holders.filter((isHolder) => isHolder === true)).toHaveLength(1);
  await processes[holders.indexOf(true)]?.ask({ name: 'apply', values: [value('shared', 1)] });
  expect(text(replicaIn(folder))).toBe('shared');
});

test('a replica whose writer is killed again and again in the middle of writes is whole, and opens with what was written', async () => {
  const folder = newFolder();
  let least = 0;
  for (let round = 0; round < 4; round++) {
    const writer = await processWith(folder);
    expect(await writer.ask({ name: 'flood' })).toBe('flooding');
    await writer.kill();
    const database = new DatabaseSync(replicaFile(folder));
    const check = database.prepare('pragma integrity_check').get();
    const [names, stored] = ['names', 'stored'].map((table) =>
      Number(database.prepare(`select count(*) as count from ${table}`).get()?.['count']),
    );
    database.close();
    expect(check).toEqual({ integrity_check: 'ok' });
    expect(names).toBe(stored);
    expect(names).toBeGreaterThanOrEqual(Math.max(least, 20 * 50));
    least = names ?? 0;
  }
});
