import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallInternet, smallInternet, TARGET } from '../../dns/small-internet.ts';
import type { Row } from '../../fixtures/dns/dns-server.ts';
import { type Answer, startFakeApi } from '../fake-api.ts';
import { appOf, domainOf, LIVE_KEY, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const HOSTNAME = 'careers.acme.test';
const OLD: Row = [HOSTNAME, 'A', '198.51.100.7', 300];
const NEW: Row = [HOSTNAME, 'CNAME', TARGET, 300];

let net: SmallInternet;

beforeAll(async () => {
  net = await smallInternet({ acme: [OLD] });
});
afterAll(() => net[Symbol.asyncDispose]());

function domain(status: string, mode = 'live'): Answer {
  const dns = {
    cname: { name: 'careers', value: TARGET },
    apex: null,
    acme_challenge: null,
    www_acme_challenge: null,
  };
  return { body: domainOf({ hostname: HOSTNAME, status, dns, mode }) };
}

/** Replaces the hostname's record in every zone of the servers. */
function setRecord(servers: readonly { zones: Record<string, readonly Row[]> }[], row: Row): void {
  for (const server of servers) {
    const rows = server.zones['acme.test'] ?? [];
    server.zones = { ...server.zones, 'acme.test': [...rows.filter(([name]) => name !== HOSTNAME), row] };
  }
}

/** Runs `watch-switch`. Each time the command reads the domain from the API, the next of the `steps` returns the API's response. */
async function watch(steps: (() => Answer)[], flags: string[] = []) {
  const known = domain('pending_dns').body as Record<string, unknown>;
  await using api = await startFakeApi({
    'GET /v1/domains': page(known),
    'GET /v1/apps/current': { body: appOf() },
    [`GET /v1/domains/${known['id']}`]: () =>
      ((steps.length > 1 ? steps.shift() : steps[0]) as () => Answer)(),
  });
  return await runCli(
    [
      ...['domains', 'watch-switch', HOSTNAME, '--json', ...flags],
      ...net.resolvers.flatMap(({ address }) => ['--resolver', address]),
      ...['--authority-port', String(net.tld.port)],
    ],
    { env: keyFor(api.url, LIVE_KEY) },
  );
}

test('watch-switch follows a record from the old host through name servers and resolvers until the domain is active', async () => {
  setRecord([net.acme, net.acmeSecond, ...net.resolvers], OLD);
  const { exit, stdout, stderr } = await watch([
    () => domain('pending_dns'),
    () => {
      setRecord([net.acme], NEW);
      return domain('pending_dns');
    },
    () => {
      setRecord([net.acmeSecond], NEW);
      return domain('pending_dns');
    },
    () => {
      setRecord(net.resolvers, NEW);
      return domain('issuing');
    },
    () => domain('active'),
  ]);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ hostname: HOSTNAME, status: 'active' });
  expect(result.servers).toHaveLength(5);
  expect(new Set(result.servers.map(({ leads }: { leads: string }) => leads))).toEqual(new Set(['edge']));
  const lines = stderr.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => line.includes('→'))).toHaveLength(7);
  expect(stderr).toMatch(/ns1\.acme\.test \S+: elsewhere \(cached for up to 5 min\) → the edge/);
  expect(stderr).toMatch(/status: pending_dns → issuing/);
});

test('watch-switch names the servers that still have the old record when its timeout ends', async () => {
  setRecord([net.acme, net.acmeSecond], NEW);
  setRecord(net.resolvers, OLD);
  const { exit, stderr, stdout } = await watch([() => domain('active')], ['--timeout', '30s']);
  expect(exit).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    error: {
      code: 'wait_ran_out',
      message: expect.stringContaining(net.resolvers.map(({ address }) => address).join(', ')),
    },
  });
  expect(stderr).toContain('the edge');
});

test('watch-switch does not wait for a server that gives no answer', async () => {
  setRecord([net.acme, net.acmeSecond, ...net.resolvers], NEW);
  const [first] = net.resolvers;
  if (first === undefined) throw new Error('no resolver');
  first.fault = () => ({ rcode: 2 });
  const { exit, stderr } = await watch([() => domain('active')]);
  first.fault = null;
  expect(exit).toBe(0);
  expect(stderr).toContain(`${first.address}: unknown`);
});

test('watch-switch refuses a test domain, which has no DNS', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': page(domain('pending_dns', 'test').body),
    'GET /v1/apps/current': { body: appOf() },
  });
  const { exit, stderr } = await runCli(['domains', 'watch-switch', HOSTNAME], { env: keyFor(api.url) });
  expect(exit).toBe(2);
  expect(stderr).toContain('domains wait');
});
