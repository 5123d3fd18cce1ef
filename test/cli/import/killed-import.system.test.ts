import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { importUnderKills } from './killed-import.ts';

describePostgres('domains import resumes after it was killed', () => {
  test('each of 400 hostnames is created exactly once, although the command is killed three times', async () => {
    const { hostnames, listed, recorded, ids, kills } = await importUnderKills({ count: 400, kills: 3 });
    expect(kills).toBe(3);
    expect(listed.toSorted()).toEqual(hostnames.toSorted());
    expect(recorded).toEqual(new Map(hostnames.map((hostname) => [hostname, ids.get(hostname)])));
  });
});
