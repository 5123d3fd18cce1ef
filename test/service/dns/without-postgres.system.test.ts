import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../../fixtures/dns/kdig.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import {
  type RestartablePostgres,
  startRestartablePostgres,
} from '../../fixtures/postgres/restartable-postgres.ts';
import { migrateAt } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';
import { DNS_ENV, QUIET } from './dns-node.ts';
import { startProgram } from './dns-program.ts';

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG] });
const TARGET = ['k7m2q9.edge.example.net', 'A', '+short'];
const ADDRESSES = '192.0.2.10\n192.0.2.11\n';

describeUnlessMissing(missing, 'kdig', () =>
  describePostgres('The role dns works without Postgres', outageTests),
);

function outageTests(): void {
  let postgres: RestartablePostgres;
  let both: ServiceNode;
  beforeAll(async () => {
    postgres = await startRestartablePostgres();
    await migrateAt(postgres.url);
    both = await startNode(testConfig(postgres.url, { ...DNS_ENV, NAMEPLATE_ROLES: 'api,dns' }), QUIET);
  });
  afterAll(async () => {
    await both?.stop();
    await postgres?.[Symbol.asyncDispose]();
  });

  const health = async (path: string) =>
    (await fetch(`http://127.0.0.1:${both.addresses.admin.port}${path}`)).status;

  test('the DNS role continues to answer at a node with other roles, and survives SIGKILL at a node without them', async () => {
    const [address = { host: '', port: 0 }] = both.addresses.dns ?? [];
    await postgres.stop();
    expect(await health('/readyz')).toBe(503);
    expect(await health('/readyz/dns')).toBe(200);
    for (let asked = 0; asked < 20; asked++) expect(await kdig(address, TARGET)).toBe(ADDRESSES);

    const env = { ...DNS_ENV, DATABASE_URL: postgres.url, NAMEPLATE_ENCRYPTION_KEYS: KEY };
    for (let killed = 0; killed < 3; killed++) {
      const { child, listening } = await startProgram(env);
      expect(await kdig(listening, TARGET)).toBe(ADDRESSES);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { child, listening } = await startProgram(env);
    expect(await kdig(listening, [...TARGET, '+tcp'])).toBe(ADDRESSES);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
}

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
