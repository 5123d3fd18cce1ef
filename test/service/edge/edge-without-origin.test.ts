import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNode } from '../../../service/node.ts';
import type { PlanName } from '../../../shared/core/accounts/plan.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { updateDomain } from '../../../shared/operations/domains/update-domain.ts';
import { changeAccount, openAccount } from '../../../shared/operations/operator/accounts.ts';
import { type OriginUnderTest, originWith } from '../../edge/edge-under-test.ts';
import { askOver, handshake } from '../../edge/tls/tls-visitor.ts';
import { http2Visitor } from '../../edge/wire/http2-visitor.ts';
import { send } from '../../edge/wire/raw-visitor.ts';
import { emulatorUnderTest } from '../../emulator/running/emulator-under-test.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { migratedDatabase } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';

/** An edge, and an app without an origin. */
interface System extends AsyncDisposable {
  httpsPort: number;
  setPlan(plan: PlanName): Promise<void>;
  /** Adds a live domain with a certificate, which the edge serves. */
  addLive(hostname: string, fields: Fields): Promise<string>;
  changeLive(id: string, fields: Fields): Promise<void>;
  /** Adds an active test domain. @returns the plain HTTP port and the Host header of the domain. */
  addTest(hostname: string, fields: Fields): Promise<{ port: number; host: string }>;
}

interface Fields {
  origin?: string | null;
  origin_headers?: Record<string, string>;
}

const SECRET = 'swordfish';
const SECRETS = { origin_headers: { 'X-Origin-Secret': SECRET } };
/** Waits for up to 5 s, the time within which an edge must apply a change. */
const SOON = { timeout: 5_000, interval: 20 };

type Way = (system: System, hostname: string, origin: string) => Promise<unknown>;

/** Each way for a live domain to end up without an origin. */
const WAYS: Record<string, Way> = {
  'never had one': (system, hostname) => system.addLive(hostname, SECRETS),
  async 'had its own cleared'(system, hostname, origin) {
    const id = await system.addLive(hostname, { ...SECRETS, origin });
    await expect.poll(() => overHttp1(system, hostname), SOON).toMatch(/^HTTP\/1.1 200 /);
    await system.changeLive(id, { origin: null });
  },
  async 'lost the plan that has one for each domain'(system, hostname, origin) {
    await system.addLive(hostname, { ...SECRETS, origin });
    await expect.poll(() => overHttp1(system, hostname), SOON).toMatch(/^HTTP\/1.1 200 /);
    await system.setPlan('growth');
  },
  async 'gave one that its plan ignores'(system, hostname, origin) {
    await system.setPlan('growth');
    await system.addLive(hostname, { ...SECRETS, origin });
  },
};

describePostgres('the edge of the service serves domains without an origin', () => edgeOf(startService));
describe('the edge of the emulator serves domains without an origin', () => edgeOf(startEmulated));

function edgeOf(start: () => Promise<System>): void {
  let system: System;
  let origin: OriginUnderTest;
  beforeAll(async () => {
    origin = await originWith((_, response) => response.end('from the origin'));
    system = await start();
  });
  afterAll(async () => {
    await system[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });

  test.each(Object.keys(WAYS))('responds with its own 503 for a live domain that %s', async (way) => {
    const hostname = `d${Object.keys(WAYS).indexOf(way)}.acme.com`;
    await system.setPlan('scale');
    await WAYS[way]?.(system, hostname, origin.url);
    const shown: string[] = [];
    const seen = async (response: Promise<string>) => {
      shown.push(await response);
      return /^HTTP\/\S+ \d+/.exec(shown.at(-1) ?? '')?.[0];
    };
    await expect.poll(() => seen(overHttp1(system, hostname)), SOON).toBe('HTTP/1.1 503');
    expect(await seen(overHttp1(system, hostname, 'Accept: text/html\r\n'))).toBe('HTTP/1.1 503');
    expect(await seen(overHttp1(system, hostname, WEBSOCKET))).toBe('HTTP/1.1 503');
    expect(await seen(overHttp2(system, hostname))).toBe('HTTP/2 503');
    expect(shown.at(-1)).toContain('it has no site yet');
    expect(shown.join('')).not.toMatch(new RegExp(`${SECRET}|v1=`));
  });

  test('shows visitors of a test domain without an origin their own request, and hides the secrets in it', async () => {
    await system.setPlan('scale');
    const { port, host } = await system.addTest('test.acme.com', SECRETS);
    const { status, body } = await send(port, `GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ path: '/a', signature: { verified: true } });
    expect(JSON.parse(body).headers).toEqual(
      expect.arrayContaining([
        ['X-Origin-Secret', '[hidden]'],
        ['X-Service-Signature', '[hidden]'],
      ]),
    );
    expect(body).not.toMatch(new RegExp(`${SECRET}|v1=`));
  });
}

const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
].join('\r\n');

async function overHttp1({ httpsPort }: System, hostname: string, headers = ''): Promise<string> {
  using made = await handshake(httpsPort, hostname, { ALPNProtocols: ['http/1.1'] });
  if (made.error !== null) return `${made.error}`;
  const closing = headers.includes('Upgrade') ? '' : 'Connection: close\r\n';
  return await askOver(made.socket, `GET /a HTTP/1.1\r\nHost: ${hostname}\r\n${closing}${headers}\r\n`);
}

async function overHttp2({ httpsPort }: System, hostname: string): Promise<string> {
  using visitor = await http2Visitor(httpsPort, hostname);
  const { status, body } = await visitor.ask();
  return `HTTP/2 ${status}\n${body}`;
}

async function startService(): Promise<System> {
  const database = await migratedDatabase();
  const ca = createThrowawayCa();
  const config = testConfig(database.url, { NAMEPLATE_ROLES: 'edge' });
  const node = await startNode(config, {
    info: () => undefined,
    warn: () => undefined,
    error: console.error,
  });
  const { context } = node.composition;
  const terms = { plan: 'scale', trial_ends_at: null, created_at: context.clock.now() - 86_400_000 } as const;
  const { app, account } = await openAccount(context, 'ada', { name: 'Acme', terms });
  const caller = (mode: Caller['mode']): Caller => ({
    app_id: app.id,
    account_id: account.id,
    key_id: context.ids('key'),
    mode,
    idempotency: null,
  });
  return {
    httpsPort: node.addresses.edge?.port ?? 0,
    async setPlan(plan) {
      await changeAccount(context, 'ada', account.id, { plan });
    },
    addLive: (hostname, fields) => addActiveDomain(context, caller('live'), ca, { hostname, ...fields }),
    async changeLive(id, fields) {
      await updateDomain(context, caller('live'), { params: { id }, body: fields });
    },
    async addTest(hostname, fields) {
      const { id } = (await createDomain(context, caller('test'), { body: { hostname, ...fields } })).body;
      await triggerDomain(context, id, 'dns_confirmed');
      await triggerDomain(context, id, 'certificate_issued');
      return { port: node.addresses.edgeHttp?.port ?? 0, host: `${id}.${config.settings.sandboxZone}` };
    },
    async [Symbol.asyncDispose]() {
      await node.stop();
      await database[Symbol.asyncDispose]();
      ca[Symbol.dispose]();
    },
  };
}

async function startEmulated(): Promise<System> {
  const underTest = await emulatorUnderTest();
  const { emulator, api, control } = underTest;
  const port = Number(new URL(emulator.edgeUrl).port);
  const add = async (hostname: string, fields: Fields, key: string) => {
    const { id } = (await api('POST /domains', { hostname, ...fields }, key)).body;
    await control('POST /clock/advance', { until: 'idle' });
    return id;
  };
  return {
    httpsPort: port,
    async setPlan(plan) {
      await control('PATCH /account', { plan });
    },
    addLive: (hostname, fields) => add(hostname, fields, emulator.keys.live),
    async changeLive(id, fields) {
      await api(`PATCH /domains/${id}`, fields, emulator.keys.live);
    },
    async addTest(hostname, fields) {
      await add(hostname, fields, emulator.keys.test);
      return { port, host: hostname };
    },
    [Symbol.asyncDispose]: underTest[Symbol.asyncDispose],
  };
}
