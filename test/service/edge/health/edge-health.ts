import { Resolver } from 'node:dns/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeService } from '../../../../service/compose.ts';
import { readConfig } from '../../../../service/config.ts';
import { edgeRingOf, ringText } from '../../../../service/settings/key-rings.ts';
import { EDGE_SILENT_MS } from '../../../../shared/core/edge/edge-health.ts';
import { openAccount } from '../../../../shared/operations/operator/accounts.ts';
import { createThrowawayCa } from '../../../fixtures/acme/throwaway-ca.ts';
import { freePort } from '../../../fixtures/free-port.ts';
import { type NatsServer, natsSettings, startNats } from '../../../fixtures/nats/nats-server.ts';
import { describePostgres } from '../../../fixtures/postgres/postgres.ts';
import { replicaFolder } from '../../../fixtures/replica-folder.ts';
import { addActiveDomain } from '../../acme/live-domain.ts';
import { type NodeUnderFaults, startNodeUnderFaults } from '../../processes/node-under-faults.ts';
import { createDeployment, type Deployment, type RunningNode } from '../../run-service.ts';
import { testConfig } from '../../settings/test-config.ts';
import type { EdgeSource } from '../edge-cluster.ts';
import { edgeVisitor } from '../edge-visitor.ts';

const [ONE, TWO] = ['192.0.2.1', '192.0.2.2'];
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
/** Generous, because the machine may be busy. */
const PATIENT = { interval: 100 };

/**
 * Tests that name servers answer only with edges that serve.
 * @param engine the engine of both edges.
 * @param source where the edges and the name server read their values and beats.
 */
export function describeEdgeHealth(engine: 'node' | 'nginx', source: EdgeSource): void {
  describePostgres(`Two edges on ${engine} and a name server that read from ${source}`, () =>
    edgeHealth(engine, source),
  );
}

function edgeHealth(engine: 'node' | 'nginx', source: EdgeSource): void {
  const ca = createThrowawayCa();
  const folders = { one: replicaFolder(), two: replicaFolder(), dns: replicaFolder() };
  let deployment: Deployment;
  let api: RunningNode;
  let env: Record<string, string>;
  let ports: { one: number; two: number };
  let nats: NatsServer | null = null;
  const ends: (() => Promise<void>)[] = [];
  const nodes: Partial<Record<'one' | 'two' | 'dns', NodeUnderFaults>> = {};
  const resolver = new Resolver({ timeout: 5_000, tries: 3 });

  beforeAll(async () => {
    deployment = await createDeployment();
    const both = { NAMEPLATE_EDGE_IPV4: `${ONE},${TWO}`, NAMEPLATE_EDGE_IPV6: 'none' };
    const inside = { ...deployment.env, ...both };
    const { context, close } = await composeService(testConfig(deployment.database.url, inside), QUIET);
    const { app, account } = await openAccount(context, 'ada', {
      name: 'Acme',
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
      webhook_url: null,
    });
    const caller = { app_id: app.id, account_id: account.id, key_id: context.ids('key'), idempotency: null };
    await addActiveDomain(context, { ...caller, mode: 'live' }, ca, {
      hostname: 'acme.com',
      apex_redirect: 'www',
    });
    await close();
    if (source === 'nats') nats = await startNats('', { atEnd: (end) => ends.push(end) });
    const fromNats = nats === null ? {} : natsSettings(nats);
    api = await deployment.start({
      env: { ...both, ...fromNats, NAMEPLATE_ROLES: nats === null ? 'api' : 'api,relay' },
    });
    ports = { one: await freePort(), two: await freePort() };
    const dnsPort = await freePort();
    resolver.setServers([`127.0.0.1:${dnsPort}`]);
    const { NAMEPLATE_ENCRYPTION_KEYS: _, ...shared } = deployment.env;
    env = {
      ...shared,
      ...both,
      ...fromNats,
      NAMEPLATE_EDGE_ENGINE: engine,
      NAMEPLATE_EDGE_KEYS: ringText(edgeRingOf(readConfig(inside))),
      NAMEPLATE_INNER_URL: api.api_url,
      NAMEPLATE_EDGE_ZONE: 'edge.example.net',
      NAMEPLATE_DNS_SERVERS: 'ns1.example.net,ns2.example.net',
      NAMEPLATE_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
      // Longer than any visitor of this test waits between its question to the name server and its visit.
      NAMEPLATE_DNS_TTL_SECONDS: '6',
    };
    await Promise.all([start('one'), start('two'), start('dns')]);
  });
  afterAll(async () => {
    for (const node of Object.values(nodes)) await node[Symbol.asyncDispose]();
    for (const end of ends) await end();
    await api[Symbol.asyncDispose]();
    await deployment[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
  });

  async function start(name: keyof typeof folders): Promise<void> {
    nodes[name] = await startNodeUnderFaults({
      ...env,
      NAMEPLATE_ROLES: name === 'dns' ? 'dns' : 'edge',
      NAMEPLATE_EDGE_REPLICA: folders[name],
      NAMEPLATE_EDGE_FOLDER: path.join(folders[name], 'nginx'),
      NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
      ...(name !== 'dns' && {
        NAMEPLATE_EDGE_NODE: name,
        NAMEPLATE_EDGE_ADDRESSES: name === 'one' ? ONE : TWO,
        NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${ports[name]}`,
      }),
    });
  }

  const node = (name: keyof typeof folders) => nodes[name] ?? expect.fail(`${name} does not run`);
  const answers = async () => (await resolver.resolve4('any.edge.example.net')).toSorted();
  const edges = async (command: string) => {
    const { document } = await deployment.json(['edges', ...command.split(' ')]);
    return document;
  };
  const states = async () => (await edges('list')).data.map(({ node: name, state }) => `${name} ${state}`);
  const health = async (name: 'one' | 'two') => {
    const response = await fetch(`${node(name).adminUrl}/readyz/edge`);
    return `${response.status} ${await response.text()}`;
  };
  async function kill(name: keyof typeof folders): Promise<void> {
    node(name).bin.child.kill('SIGKILL');
    await node(name).bin.ended;
  }

  /** Visits the address of a DNS answer. @returns the status; the error if the visit failed. */
  async function visit(address: string): Promise<number | string> {
    const port = ports[address === ONE ? 'one' : 'two'];
    using visitor = edgeVisitor({ host: '127.0.0.1', port }, ca.certificate);
    return await visitor.visit('www.acme.com').then(
      ({ status }) => status,
      (error) => `${address} ${error}`,
    );
  }

  test('both edges serve and are in the answers', async () => {
    await expect.poll(states, PATIENT).toEqual(['one serving', 'two serving']);
    await expect.poll(answers, PATIENT).toEqual([ONE, TWO]);
    expect([await visit(ONE), await visit(TWO)]).toEqual([308, 308]);
    await expect
      .poll(
        async () => (await node('dns').metrics()).filter((line) => line.startsWith('nameplate_edges')),
        PATIENT,
      )
      .toEqual(['nameplate_edges{region="default",state="serving"} 2']);
  });

  test('a drained edge leaves the answers, and no visitor that follows them fails', async () => {
    const failed: (number | string)[] = [];
    let isOver = false;
    const visiting = (async () => {
      while (!isOver) {
        for (const address of await answers()) {
          const result = await visit(address);
          if (result !== 308) failed.push(result);
        }
        await delay(50);
      }
    })();
    expect(await edges('drain one')).toMatchObject({ node: 'one', state: 'draining' });
    await expect.poll(answers, PATIENT).toEqual([TWO]);
    await expect.poll(states, PATIENT).toEqual(['one drained', 'two serving']);
    expect(await health('one')).toContain('503 not ready\none is drained');
    const { problems } = await (await fetch(`${node('one').adminUrl}/readyz`)).json();
    expect(problems).toEqual([expect.stringContaining('one is drained')]);
    isOver = true;
    await visiting;
    expect(failed).toEqual([]);
    expect(await visit(ONE)).toContain('ECONNREFUSED');
  });

  test('a restart keeps the drain, and the end of the drain brings the edge back', async () => {
    await kill('one');
    await start('one');
    // With nginx, it first ends the nginx of the killed process.
    await expect.poll(() => health('one'), PATIENT).toContain('503 not ready\none is drained');
    expect(await answers()).toEqual([TWO]);
    await edges('undrain one');
    await expect.poll(answers, PATIENT).toEqual([ONE, TWO]);
    await expect.poll(() => health('one'), PATIENT).toBe('200 ok\n');
    expect(await visit(ONE)).toBe(308);
  });

  test('a killed edge leaves the answers', async () => {
    await kill('two');
    await expect.poll(answers, PATIENT).toEqual([ONE]);
    await expect.poll(states, PATIENT).toEqual(['one serving', 'two silent']);
  });

  test('while it hears no edge the name server keeps its answers, also through a restart', async () => {
    await nats?.kill();
    await api[Symbol.asyncDispose]();
    await expect
      .poll(() => node('dns').logged(/it keeps its answers|connection to NATS broke/), PATIENT)
      .toHaveLength(1);
    // A name server that heard other edges would leave this one out after this silence.
    await delay(EDGE_SILENT_MS + 1_000);
    expect(await answers()).toEqual([ONE]);
    await kill('dns');
    await start('dns');
    expect(await answers()).toEqual([ONE]);
  });
}
