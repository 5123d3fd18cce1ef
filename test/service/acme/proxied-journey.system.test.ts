import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePebble } from '../../fixtures/acme/pebble.ts';
import { createThrowawayCa, type ThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { FRONT_PACKAGES, startFronts } from '../../proxies/front-programs.ts';
import { FRONTS, type Front, type Setup } from '../../proxies/fronts.ts';
import { type EdgeCluster, startEdgeCluster } from '../edge/edge-cluster.ts';
import { edgeVisitor } from '../edge/edge-visitor.ts';

const ZONES = ['acme.test', 'talent.test', 'old.test'] as const;
const CAA = '@ CAA 0 issue "pebble.test"';
/** The status reason of a hostname if the proxy in front does not work. The test's proxies have loopback addresses, which are reserved. */
const UNPROXIED = 'dns_reserved_address';
const PATIENT = { interval: 100 };

/** Each hostname, and how the nginx in front of it is set up. */
const PROXIES = {
  'careers.acme.test': 'both schemes',
  'jobs.acme.test': 'a redirect to HTTPS',
  'talent.test': 'plain HTTP behind HTTPS',
  'old.test': '/.well-known/ alone',
} as const;
type Hostname = keyof typeof PROXIES;
const HOSTNAMES = Object.keys(PROXIES) as Hostname[];
const [CAREERS, JOBS] = ['careers.acme.test', 'jobs.acme.test'] as const;
const addressOf = (hostname: Hostname) => `127.0.0.${31 + HOSTNAMES.indexOf(hostname)}`;

describeUnlessMissing(whyMissing(FRONT_PACKAGES), 'A domain works behind nginx', () => {
  describeRealInternet('with real DNS', () => {
    describePebble('and certificates from Pebble', () => {
      describePostgres('on Postgres', () => {
        let cluster: EdgeCluster;
        let ca: ThrowawayCa;
        const stack = new AsyncDisposableStack();
        /** The customers' records in absolute form, apart from the CAA records. */
        const records = new Set<string>();
        beforeAll(async () => {
          ca = stack.use(createThrowawayCa());
          const spare = { name: 'spare', directory_url: 'https://127.0.0.1:1/', caa_issuers: ['spare.test'] };
          // Adds `ca` as a second CA, so that the nodes trust the certificates of nginx, which `ca` signs.
          cluster = stack.use(
            await startEdgeCluster(Object.fromEntries(ZONES.map((zone) => [zone, [CAA]])), {
              second: { ...spare, root: ca.certificate },
            }),
          );
          stack.use(await startNginx());
        });
        afterAll(() => stack.disposeAsync());

        test('needs the TXT record, and becomes active by HTTP-01 through the proxy', async () => {
          const id = await add(CAREERS);
          await setRecords(`${CAREERS}. A ${addressOf(CAREERS)}`);
          await becomes(id, { status: 'pending_dns', status_reason: 'dns_txt_missing' });
          const path = { hop: 'proxied', leads_here: true, addresses: [addressOf(CAREERS)] };
          expect(await pathOf(id)).toEqual(path);
          await setRecords(`_service.${CAREERS}. TXT "${await missingTxt(id)}"`);
          await becomes(id, { status: 'active', status_reason: null });
          await expect
            .poll(() => typesOf(CAREERS), PATIENT)
            .toEqual(['domain.created', 'domain.verified', 'domain.active']);
          expect(await visit(CAREERS)).toBe('200 hello from the origin');
          expect(await pathOf(id)).toEqual({ ...path, hop: 'tls_ended' });
          expect(await findingsOf(id)).toEqual(['proxy_leads_here']);
        });

        test('breaks if the app forbids proxies, and is active again once it allows them', async () => {
          const { body } = await cluster.call(`GET /domains?hostname=${CAREERS}`);
          const [{ id } = { id: '' }] = body['data'] as { id: string }[];
          await cluster.call('PATCH /apps/current', { allow_proxied: false });
          await becomes(id, { status: 'dns_broken', status_reason: UNPROXIED });
          expect(await pathOf(id)).toBeNull();
          await cluster.call('PATCH /apps/current', { allow_proxied: true });
          await becomes(id, { status: 'active' });
        });

        test('becomes active by delegated DNS-01 behind a proxy that redirects everything to HTTPS', async () => {
          const id = await add(JOBS);
          const { dns } = await domainOf(id);
          const { value } = (dns as { acme_challenge: { value: string } }).acme_challenge;
          await setRecords(`${JOBS}. A ${addressOf(JOBS)}`);
          await becomes(id, { status_reason: UNPROXIED });
          await setRecords(`_acme-challenge.${JOBS}. CNAME ${value}.`);
          await becomes(id, { ready_to_switch: true });
          await becomes(id, { status: 'pending_dns', status_reason: 'dns_txt_missing' });
          await setRecords(`_service.${JOBS}. TXT "${await missingTxt(id)}"`);
          await becomes(id, { status: 'active' });
          expect(await visit(JOBS)).toBe('200 hello from the origin');
        });

        test.each([
          ['talent.test', 'flexible', 'proxy_plain_http'],
          ['old.test', 'partial', 'proxy_misdirects'],
        ] as const)('keeps %s waiting behind a proxy that is %s', async (hostname, hop, reason) => {
          const id = await add(hostname);
          const { dns } = await domainOf(id);
          const { txt } = (dns as { apex: { txt: { value: string } } }).apex;
          await setRecords(
            `${hostname}. A ${addressOf(hostname)}`,
            `_service.${hostname}. TXT "${txt.value}"`,
          );
          await becomes(id, { status: 'pending_dns', status_reason: reason });
          expect(await pathOf(id)).toMatchObject({ hop, leads_here: false });
          expect(typesOf(hostname)).toEqual(['domain.created']);
        });

        async function startNginx(): Promise<AsyncDisposable> {
          const folder = mkdtempSync(path.join(tmpdir(), 'proxied-journey-'));
          stack.defer(() => rmSync(folder, { recursive: true }));
          const { key, cert } = ca.issue(HOSTNAMES.map((hostname) => `DNS:${hostname}`).join());
          const good = path.join(folder, 'good.pem');
          writeFileSync(good, cert + key);
          const setups = HOSTNAMES.map((hostname): Setup => {
            const front = FRONTS.find(({ title }) => title === PROXIES[hostname]) as Front;
            return { front, program: 'nginx', address: addressOf(hostname), hostname, stage: 'after' };
          });
          const { httpPort, httpsPort } = cluster;
          const address = cluster.edge_addresses[0] ?? '';
          return startFronts('nginx', setups, {
            ...{ address, httpPort, httpsPort, folder },
            certificates: { good, wrong: good, expired: good },
          });
        }

        async function add(hostname: Hostname): Promise<string> {
          const { status, body } = await cluster.call('POST /domains', { hostname });
          expect(status).toBe(201);
          return body.id;
        }

        /** Adds records to the customers' zones, and clears the resolvers' caches. */
        async function setRecords(...lines: readonly string[]): Promise<void> {
          for (const line of lines) records.add(line);
          for (const zone of ZONES) {
            const own = [...records].filter((line) => line.split(' ')[0]?.endsWith(`${zone}.`));
            await cluster.net.change(zone, [CAA, ...own]);
            await Promise.all(cluster.net.resolvers.map((resolver) => resolver.forget(zone)));
          }
        }

        async function missingTxt(id: string): Promise<string> {
          return ((await domainOf(id))['status_detail'] as { expected: string }).expected;
        }

        async function domainOf(id: string): Promise<Record<string, unknown>> {
          return (await cluster.call(`GET /domains/${id}`)).body;
        }

        /** Moves the clock from one due check to the next, until the domain has the expected fields. */
        async function becomes(id: string, expected: Record<string, unknown>): Promise<void> {
          for (let checks = 0; checks < 30; checks++) {
            const { next_check_at, ...domain } = await domainOf(id);
            if (Object.entries(expected).every(([field, value]) => domain[field] === value)) return;
            // A certificate order and the deliveries of its events take real time, so this waits.
            if (domain['status'] === 'issuing') {
              await expect.poll(async () => (await domainOf(id))['status'], PATIENT).not.toBe('issuing');
              continue;
            }
            await cluster.moveClock(Math.max(0, Date.parse(String(next_check_at)) - cluster.now()) + 1);
            await expect
              .poll(async () => (await domainOf(id))['next_check_at'], PATIENT)
              .not.toBe(next_check_at);
          }
          expect(await domainOf(id)).toMatchObject(expected);
        }

        async function diagnosisOf(id: string): Promise<Record<string, unknown>> {
          await cluster.moveClock(16_000);
          return (await cluster.call(`GET /domains/${id}/diagnosis`)).body;
        }

        async function pathOf(id: string): Promise<unknown> {
          return (await diagnosisOf(id))['path'];
        }

        async function findingsOf(id: string): Promise<string[]> {
          return ((await diagnosisOf(id))['findings'] as { code: string }[]).map(({ code }) => code);
        }

        function typesOf(hostname: Hostname): string[] {
          return cluster.receiver.arrivals.flatMap((arrival) =>
            arrival.hostname === hostname ? arrival.type : [],
          );
        }

        async function visit(hostname: Hostname): Promise<string> {
          using visitor = edgeVisitor({ host: addressOf(hostname), port: cluster.httpsPort }, ca.certificate);
          const { status, body } = await visitor.visit(hostname);
          return `${status} ${body}`;
        }
      });
    });
  });
});
