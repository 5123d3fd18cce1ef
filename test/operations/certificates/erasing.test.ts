import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import type { Store } from '../../../shared/store/store.ts';
import { tableNames } from '../../store/open-store.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

/** Returns the whole content of the database as text. */
async function dump(store: Store): Promise<string> {
  const tables = await tableNames(store);
  const rows = tables.map(
    async (name) => (await sql`select * from ${sql.table(name)}`.execute(store.db)).rows,
  );
  return JSON.stringify(await Promise.all(rows));
}

/** Returns the keys and challenge responses of a domain, by column. */
async function secretsOf({ db }: Store, id: DomainId): Promise<string[]> {
  const of = { domain_id: id };
  const [certificates, orders, challenges] = await Promise.all([
    db
      .selectFrom('certificates')
      .selectAll()
      .where((eb) => eb.and(of))
      .execute(),
    db
      .selectFrom('certificate_orders')
      .selectAll()
      .where((eb) => eb.and(of))
      .execute(),
    db
      .selectFrom('challenges')
      .selectAll()
      .where((eb) => eb.and(of))
      .execute(),
  ]);
  return [
    ...certificates.flatMap(({ private_key, data_key }) => [private_key, data_key]),
    ...orders.flatMap(({ private_key }) => private_key ?? []),
    ...challenges.map(({ key_authorization }) => key_authorization),
  ];
}

/** For each stage of an order: the number of encrypted keys and challenge responses in the database, and how to reach the stage. */
const STAGES: Record<string, [secrets: number, reach: (under: CertificateWorld) => Promise<void>]> = {
  'its challenge is open': [
    2,
    async (under) => {
      under.edge = { ...under.edge, answersChallenge: async () => false };
      await under.pass(SECOND_MS);
    },
  ],
  'its order has a key': [
    2,
    async (under) => {
      under.acme.first.processingLooks = 1000;
      await under.pass(MINUTE_MS);
    },
  ],
  'its certificate is stored': [
    3,
    async (under) => {
      under.edge = { ...under.edge, showsCertificate: async () => false };
      await under.pass(MINUTE_MS);
    },
  ],
  'its renewal is stored beside the certificate that is proven': [
    4,
    async (under) => {
      await under.pass(MINUTE_MS);
      under.edge = { ...under.edge, showsCertificate: async () => false };
      await under.pass(61 * DAY_MS);
    },
  ],
};

test.each(Object.entries(STAGES))(
  'deleting a domain while %s leaves no private key and no challenge response in the database',
  async (_, [count, reach]) => {
    await using under = await certificateWorld({ ari: false });
    const { context } = under.world;
    const id = await under.addIssuing(HOST);
    await reach(under);
    const secrets = await secretsOf(context.store, id);
    expect(secrets).toHaveLength(count);
    const before = await dump(context.store);
    for (const secret of secrets) expect(before).toContain(secret);

    await deleteDomain(context, under.caller, { params: { id } });
    await under.pass(MINUTE_MS);
    const after = await dump(context.store);
    for (const secret of secrets) expect(after).not.toContain(secret);
    expect(await secretsOf(context.store, id)).toEqual([]);
    // The domain's row remains, because events refer to the domain.
    expect(after).toContain(id);
  },
);
