import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import { startOutsideNode } from '../../../service/outside-node.ts';
import { challengeText, delegationTarget } from '../../../shared/core/certificates/acme-challenge.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { closeChallenges, openChallenge } from '../../../shared/operations/certificates/open-challenges.ts';
import { type Caller, transact } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../../fixtures/dns/kdig.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import {
  type RestartablePostgres,
  startRestartablePostgres,
} from '../../fixtures/postgres/restartable-postgres.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { migrateAt } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';
import { DNS_ENV, QUIET } from './dns-node.ts';

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG] });
const HOST = 'careers.acme.com';

describeUnlessMissing(missing, 'kdig', () =>
  describePostgres('A node with only the role dns answers challenges from its replica', challengeTests),
);

function challengeTests(): void {
  let postgres: RestartablePostgres;
  let writer: ServiceNode;
  let id: DomainId;
  beforeAll(async () => {
    postgres = await startRestartablePostgres();
    await migrateAt(postgres.url);
    writer = await startNode(testConfig(postgres.url, { ...DNS_ENV, NAMEPLATE_ROLES: 'api,dns' }), QUIET);
    const { context } = writer.composition;
    const { app, account } = await createAccount(context, {
      name: 'Acme',
      terms: { plan: 'scale', trial_ends_at: null },
    });
    const keyId = context.ids('key');
    const caller: Caller = {
      app_id: app.id,
      account_id: account.id,
      key_id: keyId,
      mode: 'live',
      idempotency: null,
    };
    id = (await createDomain(context, caller, { body: { hostname: HOST } })).body.id as DomainId;
  });
  afterAll(async () => {
    await writer?.stop();
    await postgres?.[Symbol.asyncDispose]();
  });

  const dnsNode = (folder: string) =>
    startOutsideNode(testConfig(postgres.url, { ...DNS_ENV, NAMEPLATE_EDGE_REPLICA: folder }), QUIET);
  const ask = async ({ addresses }: Pick<ServiceNode, 'addresses'>, ...args: string[]) => {
    const [address = { host: '', port: 0 }] = addresses.dns ?? [];
    return (await kdig(address, [...args, '+short'])).trim().split('\n').sort();
  };
  const texts = (node: Pick<ServiceNode, 'addresses'>) => () =>
    ask(node, delegationTarget(id, 'acme.edge.example.net'), 'TXT');
  const open = (...tokens: string[]) =>
    transact(writer.composition.context, async (tx) => {
      for (const token of tokens)
        await openChallenge(tx, {
          hostname: HOST,
          token,
          domain_id: id,
          method: 'dns-01',
          key_authorization: token,
        });
    });
  const close = () => transact(writer.composition.context, (tx) => closeChallenges(tx, id));
  const shown = (...tokens: string[]) => tokens.map((token) => `"${challengeText(token)}"`).sort();

  test('a challenge appears when it opens and disappears when it closes, at nodes with and without other roles', async () => {
    const node = await dnsNode(replicaFolder());
    for (const each of [node, writer]) expect(await texts(each)()).toEqual(['']);
    await open('t', 'u');
    for (const each of [node, writer]) await expect.poll(texts(each)).toEqual(shown('t', 'u'));
    await close();
    for (const each of [node, writer]) await expect.poll(texts(each)).toEqual(['']);
    await node.stop();
  });

  test('a node still answers challenges while Postgres is away, also after a restart, and a new node once it has a copy', async () => {
    const folder = replicaFolder();
    const first = await dnsNode(folder);
    await open('t');
    await expect.poll(texts(first)).toEqual(shown('t'));
    await postgres.stop();
    expect(await texts(first)()).toEqual(shown('t'));
    await first.stop();

    const [restarted, fresh] = [await dnsNode(folder), await dnsNode(replicaFolder())];
    const addresses = ['192.0.2.10', '192.0.2.11'];
    for (const node of [restarted, fresh])
      expect(await ask(node, 'k7m2q9.edge.example.net', 'A')).toEqual(addresses);
    await expect.poll(texts(restarted)).toEqual(shown('t'));
    expect(await texts(fresh)()).toEqual(['']);
    await postgres.start();
    await expect.poll(texts(fresh)).toEqual(shown('t'));
    await restarted.stop();
    await fresh.stop();
    await close();
  });

  test('a node that never reaches Postgres stops in order', async () => {
    await postgres.stop();
    const node = await dnsNode(replicaFolder());
    await node.stop();
    await postgres.start();
  });
}
