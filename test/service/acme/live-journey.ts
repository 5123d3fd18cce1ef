import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyOriginRequest } from '../../../shared/client/webhooks.ts';
import { describePebble } from '../../fixtures/acme/pebble.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { firstArrivals } from '../../fixtures/webhook-receiver.ts';
import { type EdgeCluster, type EdgeSource, startEdgeCluster } from '../edge/edge-cluster.ts';
import { edgeVisitor, type Visit } from '../edge/edge-visitor.ts';

type Engine = 'node' | 'nginx';

const HOST = 'careers.acme.test';
const TALENT = 'talent.other.test';
const JOBS = 'jobs.other.test';
const CONNECT = 'connect.other.test';
/** Each customer's CAA record allows only one validation method (RFC 8657): HTTP-01 if the edge is nginx, which has no TLS-ALPN-01. */
const ZONES = (engine: Engine) => ({
  'acme.test': ['@ CAA 0 issue "pebble.test; validationmethods=http-01"'],
  'other.test': [`@ CAA 0 issue "pebble.test; validationmethods=${OTHER_METHOD[engine].toLowerCase()}"`],
});
const OTHER_METHOD = { node: 'TLS-ALPN-01', nginx: 'HTTP-01' };
/** This time is longer than the lease of any job. */
const LEASE_MS = 150_000;
/** The documented limit for how long an edge may not know a change. */
const KNOWN = { timeout: 5_000, interval: 20 };

/**
 * Tests a domain from its creation to its deletion.
 * @param engine the engine of the three edges.
 * @param source where they read their values.
 */
export function describeLiveJourney(engine: Engine, source: EdgeSource = 'postgres'): void {
  describeRealInternet(
    `A live domain on three nodes whose edges run on ${engine} and read from ${source}`,
    () => journey(engine, source),
  );
}

function journey(engine: Engine, source: EdgeSource): void {
  const zones = ZONES(engine);
  describePebble('by Pebble', () => {
    describePostgres('on Postgres', () => {
      let cluster: EdgeCluster;
      /** DNS records of customers, by hostname. */
      const records = new Map<string, string>();
      /** Number of visitors' requests with status 200. */
      let visits = 0;
      beforeAll(async () => {
        cluster = await startEdgeCluster(zones, { source, env: { NAMEPLATE_EDGE_ENGINE: engine } });
      });
      afterAll(() => cluster[Symbol.asyncDispose]());

      test.each([
        [HOST, 'HTTP-01'],
        [TALENT, OTHER_METHOD[engine]],
      ])('responds over HTTPS on each node: %s, validated by %s', async (hostname, method) => {
        const before = await challengesSeen();
        const { id, target } = await add(hostname);
        await setRecord(hostname, target);
        const started = performance.now();
        await cluster.call(`POST /domains/${id}/verify`);
        await expect.poll(() => seen(0, hostname)).toBe('200 hello from the origin');
        report(`from the right record to HTTPS by ${method}`, performance.now() - started);
        await arrives('domain.active', hostname);
        for (const index of [0, 1, 2]) {
          await expect.poll(() => seen(index, hostname), KNOWN).toBe('200 hello from the origin');
          expect((await visit(index, hostname)).names).toBe(`DNS:${hostname}`);
        }
        const challenges = async () => (await challengesSeen()) - before;
        if (method === 'HTTP-01') await expect.poll(challenges).toBeGreaterThan(0);
        else expect(await challenges()).toBe(0);
        expect(typesOf(hostname)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
      });

      test('gives the origin all six headers and a signature that it can verify', async () => {
        await visit(1, HOST, '/jobs?q=1');
        const request = cluster.origin.requests.at(-1);
        const { body: app } = await cluster.call('GET /apps/current');
        const id = await idOf(HOST);
        expect(request?.headers).toMatchObject({
          host: HOST,
          'x-forwarded-proto': 'https',
          'x-service-domain-id': id,
          'x-service-app-id': app.id,
          'x-service-timestamp': expect.stringMatching(/^\d+$/),
          'x-service-signature': expect.stringMatching(/^v1=/),
        });
        const verified = await verifyOriginRequest({
          method: request?.method ?? '',
          host: HOST,
          path: request?.url ?? '',
          headers: request?.headers ?? {},
          secret: cluster.signing_secret,
        });
        expect(verified.domain_id).toBe(id);
      });

      test(`is issued by ${OTHER_METHOD[engine]} without a second order after its node is killed before finalizing`, async () => {
        const { id, target } = await add(JOBS);
        const before = { ...cluster.proxy.counts, challenges: await challengesSeen() };
        const held = cluster.proxy.holdFinalize(() => cluster.nodes.map(({ pid }) => pid ?? 0));
        await setRecord(JOBS, target);
        await cluster.call(`POST /domains/${id}/verify`);
        const pid = await held;
        const killed = cluster.nodes.find((node) => node.pid === pid);
        if (engine === 'node') expect(await challengesSeen()).toBe(before.challenges);
        await killed?.kill();
        await cluster.moveClock(LEASE_MS);
        await arrives('domain.active', JOBS);
        expect(cluster.proxy.counts).toEqual({ orders: before.orders + 1, finalized: before.finalized + 1 });
        if (killed) await cluster.restart(killed);
        for (const index of [0, 1, 2])
          await expect.poll(() => seen(index, JOBS), KNOWN).toBe('200 hello from the origin');
      });

      test('becomes broken when its record is removed, still serves visitors, and becomes active again', async () => {
        await setRecord(HOST, null);
        await untilStatus('dns_broken');
        for (const index of [0, 1, 2]) expect(await seen(index, HOST)).toBe('200 hello from the origin');
        const { body } = await cluster.call(`GET /domains/${await idOf(HOST)}`);
        await setRecord(HOST, (body['dns'] as Records).cname.value);
        await untilStatus('active');
        const last = () => typesOf(HOST).slice(-2);
        await expect.poll(last).toEqual(['domain.dns_broken', 'domain.active']);
      });

      test('is renewed with a new key after two thirds of the lifetime, without an interruption', async () => {
        const { certificate } = (await cluster.call(`GET /domains/${await idOf(HOST)}`)).body as unknown as {
          certificate: Record<'not_before' | 'not_after' | 'renews_at', string>;
        };
        const [from, to, renewsAt] = [
          certificate.not_before,
          certificate.not_after,
          certificate.renews_at,
        ].map((text) => Date.parse(text)) as [number, number, number];
        expect((renewsAt - from) / (to - from)).toBeCloseTo(2 / 3, 3);
        const before = await visit(0, HOST);
        const answers: string[] = [];
        let renewed = false;
        const visiting = (async () => {
          while (!renewed) answers.push(await seen(answers.length % 3, HOST));
        })();
        await cluster.moveClock(renewsAt - cluster.now() + 1000);
        await arrives('domain.certificate_renewed', HOST);
        renewed = true;
        await visiting;
        expect(new Set(answers)).toEqual(new Set(['200 hello from the origin']));
        for (const index of [0, 1, 2]) {
          const after = await visit(index, HOST);
          expect(after.serial).not.toBe(before.serial);
          expect(after.public_key).not.toBe(before.public_key);
        }
      });

      test('can be listed, shown and reissued by the operator without an interruption', async () => {
        const shown = async () => {
          const { data } = await cluster.service('certificates', 'show', JOBS);
          return data[0]?.['certificate'] as { serial: string };
        };
        const { serial } = await shown();
        const { data } = await cluster.service('certificates', 'list');
        expect(data.find((each) => each['serial'] === serial)).toMatchObject({ names: [JOBS], ca: 'pebble' });
        expect((await cluster.service('certificates', 'list', '--within-days', '1')).data).toEqual([]);
        const renewals = () => typesOf(JOBS).filter((type) => type === 'domain.certificate_renewed').length;
        const before = renewals();
        await cluster.service('certificates', 'reissue', JOBS);
        await expect.poll(renewals).toBeGreaterThan(before);
        expect((await shown()).serial).not.toBe(serial);
        for (const index of [0, 1, 2]) expect(await seen(index, JOBS)).toBe('200 hello from the origin');
      });

      test('can be revoked by the operator, and is replaced without an interruption', async () => {
        const serials = async () =>
          (await cluster.service('certificates', 'list')).data.map((each) => each['serial']);
        const revoke = () => cluster.service('certificates', 'revoke', JOBS, '--reason', 'superseded');
        const { serial, reordered } = await revoke();
        expect(reordered).toBe(true);
        await expect.poll(serials).not.toContain(serial);
        for (const index of [0, 1, 2]) expect(await seen(index, JOBS)).toBe('200 hello from the origin');
      });

      test('stops being served by every node within 5 s of its deletion, and its certificate is revoked', async () => {
        const { serial } = await visit(0, HOST);
        expect(await cluster.pebble.statusOf(serial)).toBe('Valid');
        expect((await cluster.call(`DELETE /domains/${await idOf(HOST)}`)).status).toBe(204);
        const started = performance.now();
        for (const index of [0, 1, 2]) {
          await expect.poll(() => seen(index, HOST), KNOWN).toBe('refused');
          expect(await seen(index, JOBS)).toBe('200 hello from the origin');
        }
        report('from the deletion to no handshake on any node', performance.now() - started);
        await expect.poll(() => cluster.pebble.statusOf(serial)).toBe('Revoked');
      });

      test("has its connect page at the app's white-label host, whose certificate is obtained and renewed by itself", async () => {
        const { body: app } = await cluster.call('GET /apps/current');
        await setRecord(CONNECT, String(app['whitelabel_target']));
        await cluster.call('PATCH /apps/current', { whitelabel_host: CONNECT });
        const base = `https://${CONNECT}:${cluster.httpsPort}/`;
        const connectUrl = async () => String((await domainOf(JOBS))['connect_url']);
        for (let waits = 0; waits < 10 && !(await connectUrl()).startsWith(base); waits++) {
          await cluster.moveClock(10_000);
          await delay(500);
        }
        await expect.poll(connectUrl).toMatch(base);
        const { pathname } = new URL(await connectUrl());
        expect((await fetch(`${cluster.nodes[0]?.addresses?.api_url}${pathname}`)).status).toBe(200);
        for (const index of [0, 1, 2]) {
          const page = () => visit(index, CONNECT, pathname);
          await expect.poll(page, KNOWN).toMatchObject({ status: 200, names: `DNS:${CONNECT}` });
          expect((await page()).body).toContain('Your domain is live');
          expect((await visit(index, CONNECT, '/v1/domains')).status).toBe(404);
        }
        expect(typesOf(CONNECT)).toEqual([]);
        const { serial } = await visit(0, CONNECT, pathname);
        await cluster.service('certificates', 'reissue', CONNECT);
        await expect.poll(async () => (await visit(0, CONNECT, pathname)).serial).not.toBe(serial);
      });

      type Records = { cname: { value: string } };

      async function add(hostname: string): Promise<{ id: string; target: string }> {
        const { status, body } = await cluster.call('POST /domains', { hostname });
        expect(status).toBe(201);
        return { id: body.id, target: (body['dns'] as Records).cname.value };
      }

      /** Sets a CNAME record in the customer's zone, or removes it if `target` is null, and clears the resolvers' caches. */
      async function setRecord(hostname: string, target: string | null): Promise<void> {
        const [label = '', ...rest] = hostname.split('.');
        const zone = rest.join('.') as keyof typeof zones;
        if (target === null) records.delete(hostname);
        else records.set(hostname, `${label} CNAME ${target}.`);
        const inZone = [...records].flatMap(([name, line]) => (name.endsWith(`.${zone}`) ? line : []));
        await cluster.net.change(zone, [...zones[zone], ...inZone]);
        await Promise.all(cluster.net.resolvers.map((resolver) => resolver.forget(zone)));
      }

      async function domainOf(hostname: string): Promise<Record<string, unknown> & { id: string }> {
        const { body } = await cluster.call(`GET /domains?hostname=${hostname}`);
        return (body['data'] as (Record<string, unknown> & { id: string })[])[0] ?? { id: '' };
      }

      const idOf = async (hostname: string) => (await domainOf(hostname)).id;

      /** Moves the clock from one due check to the next, until the domain has the status. */
      async function untilStatus(status: string): Promise<void> {
        for (let checks = 0; checks < 6; checks++) {
          const { next_check_at, status: shown } = await domainOf(HOST);
          if (shown === status) return;
          await cluster.moveClock(Math.max(0, Date.parse(String(next_check_at)) - cluster.now()) + 1);
          const checked = async () => (await domainOf(HOST))['next_check_at'];
          await expect.poll(checked).not.toBe(next_check_at);
        }
        expect((await domainOf(HOST))['status']).toBe(status);
      }

      /**
       * Returns how many responses with status 200 the edges sent over plain HTTP. In this test, only requests for
       * challenges get such responses: first from workers, then from CAs.
       */
      async function challengesSeen(): Promise<number> {
        const counts = await Promise.all(
          cluster.nodes.map(async ({ addresses }) => {
            const text = await (await fetch(`${addresses?.admin_url}/metrics`)).text();
            return Number(/^nameplate_edge_requests_total\{status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0);
          }),
        );
        return counts.reduce((sum, count) => sum + count, 0) - visits;
      }

      async function arrives(type: string, hostname: string): Promise<void> {
        await cluster.receiver.until(1, (arrival) => arrival.type === type && arrival.hostname === hostname);
      }

      const typesOf = (hostname: string) =>
        firstArrivals(cluster.receiver.arrivals).flatMap((arrival) =>
          arrival.hostname === hostname ? arrival.type : [],
        );

      async function visit(index: number, hostname: string, path?: string): Promise<Visit> {
        const host = cluster.edge_addresses[index] ?? '';
        using visitor = edgeVisitor({ host, port: cluster.httpsPort }, cluster.root);
        const answer = await visitor.visit(hostname, path);
        if (answer.status === 200) visits += 1;
        return answer;
      }

      async function seen(index: number, hostname: string): Promise<string> {
        const answer = await visit(index, hostname).catch(() => null);
        return answer === null ? 'refused' : `${answer.status} ${answer.body}`;
      }
    });
  });
}

const report = (what: string, durationMs: number) => console.log(`${what}: ${Math.round(durationMs)} ms`);
