import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePebble } from '../../fixtures/acme/pebble.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { kdig } from '../../fixtures/dns/kdig.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type EdgeCluster, startEdgeCluster } from '../edge/edge-cluster.ts';
import { edgeVisitor } from '../edge/edge-visitor.ts';

const HOST = 'careers.acme.test';
const APEX = 'other.test';
const ZONES = { 'acme.test': [], 'other.test': [] };
const OLD_HOST = '@ A 203.0.113.80';

describeRealInternet('A domain whose challenges are delegated to us gets its certificate', () => {
  describePebble('from Pebble', () => {
    describePostgres('on Postgres', () => {
      let cluster: EdgeCluster;
      beforeAll(async () => {
        cluster = await startEdgeCluster(ZONES);
      });
      afterAll(() => cluster[Symbol.asyncDispose]());

      test('has its certificate before its record points to us, and is reachable as soon as the record does', async () => {
        const domain = await add(HOST);
        expect(domain.dns.acme_challenge).toEqual({
          name: '_acme-challenge.careers',
          value: expect.stringMatching(/^[0-9a-f]{32}\.acme\.edge\.test$/),
        });
        expect(domain.ready_to_switch).toBe(false);
        await setZone('acme.test', ['careers CNAME old-host.example.', delegationOf(domain)]);
        await cluster.call(`POST /domains/${domain.id}/verify`);
        await expect.poll(async () => (await read(domain.id)).ready_to_switch).toBe(true);
        const prepared = await read(domain.id);
        expect(prepared.status).toBe('pending_dns');
        const { issuer } = prepared.certificate ?? {};
        expect(issuer).toContain('Pebble');
        for (const index of [0, 1, 2]) await expect.poll(() => statusAt(index, HOST)).toBe(200);
        const { serial } = await visit(0, HOST);
        const orders = cluster.proxy.counts.orders;

        await setZone('acme.test', [`careers CNAME ${domain.dns.cname?.value}.`, delegationOf(domain)]);
        await cluster.moveClock(15_000);
        await cluster.call(`POST /domains/${domain.id}/verify`);
        await arrives('domain.active', HOST);
        expect(typesOf(HOST)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
        expect(cluster.proxy.counts.orders).toBe(orders);
        for (const index of [0, 1, 2])
          expect(await visit(index, HOST)).toMatchObject({ status: 200, serial });
        expect((await read(domain.id)).ready_to_switch).toBe(false);
      });

      test('needs no TXT record, even if it is an apex', async () => {
        const domain = await add(APEX);
        await setZone('other.test', [OLD_HOST, delegationOf(domain)]);
        await cluster.call(`POST /domains/${domain.id}/verify`);
        await expect.poll(async () => (await read(domain.id)).ready_to_switch).toBe(true);
        const addresses = domain.dns.apex?.a.map((address) => `@ A ${address}`) ?? [];
        await setZone('other.test', [...addresses, delegationOf(domain)]);
        await cluster.moveClock(15_000);
        await cluster.call(`POST /domains/${domain.id}/verify`);
        await arrives('domain.active', APEX);
      });

      test('is renewed by HTTP-01 once the delegation is gone', async () => {
        const { body } = await cluster.call(`GET /domains?hostname=${HOST}`);
        const [domain] = body['data'] as Shown[];
        if (domain === undefined) throw new Error('there is no domain');
        await setZone('acme.test', [`careers CNAME ${domain.dns.cname?.value}.`]);
        const { serial } = await visit(0, HOST);
        await cluster.service('certificates', 'reissue', HOST);
        await arrives('domain.certificate_renewed', HOST);
        expect((await visit(0, HOST)).serial).not.toBe(serial);
      });

      test.each([
        ['another domain', 'stale', `${'0'.repeat(32)}.acme.edge.test`],
        ['another provider', 'foreign', 'x.acme-dns.example'],
      ])('gets no certificate if the delegation points to %s', async (_, label, target) => {
        const domain = await add(`${label}.acme.test`);
        await setZone('acme.test', [`_acme-challenge.${label} CNAME ${target}.`]);
        const before = cluster.proxy.counts.orders;
        for (let looks = 0; looks < 3; looks++) {
          await cluster.moveClock(60_000);
          await cluster.call(`POST /domains/${domain.id}/verify`);
          await expect.poll(async () => (await read(domain.id)).last_checked_at).not.toBeNull();
        }
        expect((await read(domain.id)).ready_to_switch).toBe(false);
        expect(cluster.proxy.counts.orders).toBe(before);
      });

      test('has its own challenge name in DNS, which exists even while there is no challenge', async () => {
        const [host = ''] = cluster.edge_addresses;
        const server = { host, port: cluster.net.authorityPort };
        expect(await kdig(server, ['0a1b.acme.edge.test', 'TXT'])).toContain('status: NOERROR');
        expect(await kdig(server, ['0a1b.acme.edge.test', 'A', '+short'])).toBe('');
      });

      interface Shown {
        id: string;
        status: string;
        ready_to_switch: boolean;
        last_checked_at: string | null;
        certificate: { issuer: string } | null;
        dns: {
          cname: { value: string } | null;
          apex: { a: string[] } | null;
          acme_challenge: { name: string; value: string } | null;
        };
      }

      async function add(hostname: string): Promise<Shown> {
        const { status, body } = await cluster.call('POST /domains', { hostname });
        expect(status).toBe(201);
        return body as unknown as Shown;
      }

      async function read(id: string): Promise<Shown> {
        return (await cluster.call(`GET /domains/${id}`)).body as unknown as Shown;
      }

      function delegationOf({ dns: { acme_challenge: record } }: Shown): string {
        return `${record?.name} CNAME ${record?.value}.`;
      }

      async function setZone(zone: keyof typeof ZONES, records: readonly string[]): Promise<void> {
        await cluster.net.change(zone, records);
        await Promise.all(cluster.net.resolvers.map((resolver) => resolver.forget(zone)));
      }

      /** Returns the HTTP status that a visitor gets from one node, or the error. A node learns of a new route within seconds. */
      async function statusAt(index: number, hostname: string): Promise<number | string> {
        return visit(index, hostname).then(
          ({ status }) => status,
          (error: unknown) => String(error),
        );
      }

      async function visit(index: number, hostname: string) {
        const host = cluster.edge_addresses[index] ?? '';
        using visitor = edgeVisitor({ host, port: cluster.httpsPort }, cluster.root);
        return await visitor.visit(hostname);
      }

      async function arrives(type: string, hostname: string): Promise<void> {
        await cluster.receiver.until(1, (arrival) => arrival.type === type && arrival.hostname === hostname);
      }

      function typesOf(hostname: string): string[] {
        return cluster.receiver.arrivals.flatMap((arrival) =>
          arrival.hostname === hostname ? arrival.type : [],
        );
      }
    });
  });
});
