import { expect, test } from 'vitest';
import { importUnderKills } from '../cli/import/killed-import.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';

describePostgres('domains import of 10 000 hostnames', () => {
  test('creates each of them once, although the import is killed ten times', async () => {
    const run = await importUnderKills({ count: 10_000, kills: 10 });
    const { hostnames, listed, recorded, ids, kills, perSecond } = run;
    console.log(`${listed.length} hostnames, ${kills} kills, ${perSecond.toFixed(0)} hostnames a second`);
    expect(kills).toBe(10);
    expect(listed.toSorted()).toEqual(hostnames.toSorted());
    expect(recorded).toEqual(new Map(hostnames.map((hostname) => [hostname, ids.get(hostname)])));
  });
});
