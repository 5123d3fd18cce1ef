import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type RealInternet, startRealInternet } from '../../fixtures/real-internet.ts';
import { firstArrivals, startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';
import { api, createDeployment, type Deployment } from '../run-service.ts';

const EDGE_ZONE = 'edge.test';
const QUIET = createJsonLog('silent', { write: () => undefined });

describeRealInternet('A live domain follows its records in real DNS', () => {
  describePostgres('on Postgres', () => {
    let net: RealInternet;
    let deployment: Deployment;
    let receiver: WebhookReceiver;
    let node: ServiceNode;
    let key: string;
    let now = Date.parse('2026-01-01T00:00:00Z');

    beforeAll(async () => {
      net = await startRealInternet({
        'acme.test': { records: [] },
        [EDGE_ZONE]: { records: ['* A 192.0.2.1', '* AAAA 2001:db8::1'] },
      });
      deployment = await createDeployment();
      receiver = await startReceiver();
      const terms = ['--plan', 'scale', '--card-on-file', '--trial-ends-at', 'none'];
      const { document } = await deployment.json(['accounts', 'create', 'Acme', ...terms]);
      key = document.live_key;
      const config = readConfig({
        ...deployment.env,
        NAMEPLATE_EDGE_ZONE: EDGE_ZONE,
        NAMEPLATE_RESOLVERS: net.resolverAddresses.join(),
      });
      const settings = { ...config.settings, allowLoopback: true };
      node = await startNode({ ...config, settings }, QUIET, {
        clock: { now: () => now },
        authorityPort: net.authorityPort,
      });
      await call('PATCH /apps/current', { webhook_url: receiver.url });
    });
    afterAll(async () => {
      await node.stop();
      await receiver[Symbol.asyncDispose]();
      await deployment[Symbol.asyncDispose]();
      await net[Symbol.asyncDispose]();
    });

    test('is verified by the first check after its record exists, even after an earlier failed check', async () => {
      const { status, body } = await call('POST /domains', { hostname: 'careers.acme.test' });
      expect({ status, domain_status: body['status'] }).toEqual({
        status: 201,
        domain_status: 'pending_dns',
      });
      await timeOfNextCheck();
      await becomes({ status_reason: 'dns_record_missing' });

      await net.change('acme.test', [`careers CNAME ${await target()}.`]);
      await timeOfNextCheck();
      await arrives('domain.verified');
      expect(await domain()).toMatchObject({ status: 'issuing', status_reason: null });
      await issue();
      await arrives('domain.active');
    });

    test('becomes broken with the second check after its record is removed', async () => {
      await net.change('acme.test', []);
      await forget();
      await timeOfNextCheck();
      const first = await becomes({ last_checked_at: new Date(now).toISOString() });
      expect(first).toMatchObject({
        status: 'active',
        next_check_at: new Date(now + MINUTE_MS).toISOString(),
      });
      await timeOfNextCheck();
      await arrives('domain.dns_broken');
      expect(await domain()).toMatchObject({ status: 'dns_broken', status_reason: 'dns_record_missing' });
    });

    test('becomes active again once the resolvers no longer cache the missing record', async () => {
      await net.change('acme.test', [`careers CNAME ${await target()}.`]);
      await timeOfNextCheck();
      const waiting = await becomes({ status_reason: 'dns_propagating' });
      expect(waiting['status']).toBe('dns_broken');
      await forget();
      await timeOfNextCheck();
      const before = receiver.arrivals.find(({ type }) => type === 'domain.active')?.event_id;
      await receiver.until(1, ({ type, event_id }) => type === 'domain.active' && event_id !== before);
      expect(await domain()).toMatchObject({ status: 'active', status_reason: null, status_detail: null });
    });

    test('has sent an event for each of these changes, in order', () => {
      expect(firstArrivals(receiver.arrivals).map(({ type }) => type)).toEqual([
        'domain.created',
        'domain.verified',
        'domain.active',
        'domain.dns_broken',
        'domain.active',
      ]);
    });

    const apiUrl = () => `http://127.0.0.1:${node.addresses.api?.port}`;
    const call = (request: string, body?: object) => api(apiUrl(), key, request, body);

    async function domain(): Promise<Record<string, unknown> & { id: DomainId }> {
      const { body } = await call('GET /domains');
      return (body['data'] as (Record<string, unknown> & { id: DomainId })[])[0] ?? { id: '' as DomainId };
    }

    async function target(): Promise<string> {
      return ((await domain())['dns'] as { cname: { value: string } }).cname.value;
    }

    async function becomes(fields: object): Promise<Record<string, unknown>> {
      await expect.poll(domain).toMatchObject(fields);
      return domain();
    }

    async function arrives(type: string): Promise<void> {
      await receiver.until(1, (arrival) => arrival.type === type);
    }

    /** Moves the service's clock to the next check that the API shows, and runs the work that is due. */
    async function timeOfNextCheck(): Promise<void> {
      now = Date.parse(String((await domain())['next_check_at']));
      node.composition.context.notices.publish({ kind: 'work' });
    }

    /** Clears the resolvers' caches, as if the TTLs had expired. Resolvers use the machine's clock. */
    async function forget(): Promise<void> {
      await Promise.all(net.resolvers.map((resolver) => resolver.forget('acme.test')));
    }

    /** Stores an issued certificate directly, because other tests cover orders. */
    async function issue(): Promise<void> {
      await triggerDomain(node.composition.context, (await domain()).id, 'certificate_issued');
    }
  });
});
