import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { importUnderKills } from './killed-import.ts';

describePostgres('An import that is killed', () => {
  test('creates each of 400 hostnames exactly once, although it is killed three times', async () => {
    const { hostnames, listed, recorded, ids, kills } = await importUnderKills({ count: 400, kills: 3 });
    expect(kills).toBe(3);
    expect(listed.toSorted()).toEqual(hostnames.toSorted());
    expect(recorded).toEqual(new Map(hostnames.map((hostname) => [hostname, ids.get(hostname)])));
  });
});
