import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWERS_MAX } from '../../../shared/core/certificates/certificate-order.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { describeCaddy, startCaddyCa } from '../../fixtures/acme/caddy-ca.ts';
import { describePebble } from '../../fixtures/acme/pebble.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type EdgeCluster, startEdgeCluster } from '../edge/edge-cluster.ts';
import { edgeVisitor } from '../edge/edge-visitor.ts';

const BY_PEBBLE = 'careers.acme.test';
const BY_CADDY = 'careers.inside.test';
const UNREACHED = 'jobs.inside.test';
/** The CAA record of each zone permits only one of the two CAs. */
const ZONES = {
  'acme.test': ['@ CAA 0 issue "pebble.test"'],
  'inside.test': ['@ CAA 0 issue "caddy.test; validationmethods=http-01"'],
};

describeRealInternet('Live domains get certificates from two certificate authorities', () => {
  describePebble('of which one is Pebble', () => {
    describeCaddy('and the other is Caddy', () => {
      describePostgres('on Postgres', () => {
        const stack = new AsyncDisposableStack();
        const roots = new Map<string, string>();
        let cluster: EdgeCluster;
        let port80: Port80;
        beforeAll(async () => {
          port80 = stack.use(await openPort80(() => [cluster.edge_addresses[0] ?? '', cluster.httpPort]));
          const caddy = stack.use(
            await startCaddyCa({ [BY_CADDY]: port80.address, [UNREACHED]: port80.address }),
          );
          const { directory_url, root } = caddy;
          const second = { name: 'caddy', directory_url, caa_issuers: ['caddy.test'], root };
          cluster = stack.use(await startEdgeCluster(ZONES, { second }));
          roots.set(BY_PEBBLE, cluster.root).set(BY_CADDY, root);
        });
        afterAll(() => stack.disposeAsync());

        test('get a certificate from Pebble for a hostname whose CAA records name Pebble', async () => {
          await connectHostname(BY_PEBBLE);
          await arrives('domain.active', BY_PEBBLE);
          await expectServed(BY_PEBBLE);
          expect(port80.refused + port80.passed).toBe(0);
        });

        test('get a certificate from Caddy after a failed validation, for a hostname whose CAA records name Caddy', async () => {
          const { orders } = cluster.proxy.counts;
          port80.refuses = true;
          await connectHostname(BY_CADDY);
          await expect.poll(() => port80.refused).toBe(1);
          port80.refuses = false;
          await cluster.moveClock(MINUTE_MS);
          await arrives('domain.active', BY_CADDY);
          await expectServed(BY_CADDY);
          expect(port80).toMatchObject({ refused: 1, passed: 1 });
          expect(cluster.proxy.counts.orders).toBe(orders);
          const { data } = await cluster.service('certificates', 'list');
          const listed = data.find(({ names }) => String(names) === BY_CADDY);
          expect(listed).toMatchObject({ ca: 'caddy', issuer: expect.stringContaining('Caddy of the test') });
        });

        test("show Caddy's error for a hostname that Caddy cannot reach", async () => {
          port80.refuses = true;
          const before = port80.refused;
          await connectHostname(UNREACHED);
          const told = async () => {
            await cluster.moveClock(MINUTE_MS / 2);
            const { body } = await cluster.call(`GET /domains/${await idOf(UNREACHED)}`);
            return {
              reason: body['status_reason'],
              found: (body['status_detail'] as { found: string } | null)?.found,
            };
          };
          const expected = {
            reason: 'ca_challenge_failed',
            found: 'The server could not connect to validation target',
          };
          await expect.poll(told, { interval: 1000 }).toEqual(expected);
          expect(port80.refused - before).toBeGreaterThanOrEqual(ANSWERS_MAX);
        });

        /** Adds a hostname as the app does, and the hostname's DNS record as the customer does. */
        async function connectHostname(hostname: string): Promise<void> {
          const { status, body } = await cluster.call('POST /domains', { hostname });
          expect(status).toBe(201);
          const { cname } = body['dns'] as { cname: { value: string } };
          const [label = '', ...rest] = hostname.split('.');
          const zone = rest.join('.') as keyof typeof ZONES;
          await cluster.net.change(zone, [...ZONES[zone], `${label} CNAME ${cname.value}.`]);
          await Promise.all(cluster.net.resolvers.map((resolver) => resolver.forget(zone)));
          await cluster.call(`POST /domains/${body.id}/verify`);
        }

        async function idOf(hostname: string): Promise<string> {
          const { body } = await cluster.call(`GET /domains?hostname=${hostname}`);
          return (body['data'] as { id: string }[])[0]?.id ?? '';
        }

        async function arrives(type: string, hostname: string): Promise<void> {
          await cluster.receiver.until(
            1,
            (arrival) => arrival.type === type && arrival.hostname === hostname,
          );
        }

        async function expectServed(hostname: string): Promise<void> {
          for (const host of cluster.edge_addresses) {
            using visitor = edgeVisitor({ host, port: cluster.httpsPort }, roots.get(hostname) ?? '');
            // Polls, because a node may learn of the route a moment after the others.
            await expect
              .poll(() => visitor.visit(hostname))
              .toMatchObject({ status: 200, names: `DNS:${hostname}` });
          }
        }
      });
    });
  });
});

/** A forwarder from port 80, on which a CA validates HTTP-01, to the edge's port in this test. */
interface Port80 extends AsyncDisposable {
  address: string;
  /** While true, port 80 ends each connection at once. */
  refuses: boolean;
  refused: number;
  passed: number;
}

/** Opens port 80 on a loopback address that no other test uses. */
async function openPort80(edge: () => [host: string, port: number]): Promise<Port80> {
  const address = `127.80.${randomInt(256)}.${randomInt(1, 255)}`;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (way.refuses) {
      way.refused += 1;
      return void socket.resetAndDestroy();
    }
    way.passed += 1;
    const [host, port] = edge();
    const onward = connect(port, host).on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const way: Port80 = {
    address,
    refuses: false,
    refused: 0,
    passed: 0,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(80, address);
  await once(server, 'listening');
  return way;
}
