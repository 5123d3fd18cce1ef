import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Composition, composeService } from '../../../service/compose.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { revokeKey } from '../../../shared/operations/apps/api-keys.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { type OriginUnderTest, originWith } from '../../edge/edge-under-test.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { natsSettings, startNats } from '../../fixtures/nats/nats-server.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import {
  type RestartablePostgres,
  startRestartablePostgres,
} from '../../fixtures/postgres/restartable-postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { RunningNode } from '../cluster/cluster.ts';
import { migrateAt } from '../database/migrated-database.ts';
import { api } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';
import type { EdgeSource } from './edge-cluster.ts';
import { type EdgeVisitor, edgeVisitor } from './edge-visitor.ts';

const QUIET = createJsonLog('silent', { write: () => undefined });
const [GONE, KEPT, LEFT] = ['gone.acme.com', 'kept.acme.com', 'left.acme.com'];
/** How long the node is stopped. This is real time, because a test cannot move the clock of a stopped process. */
const FROZEN_MS = 2_500;

/** Tests that an edge serves nothing old after a pause of its process. @param source the source of the edge's values. */
export function describeFrozenNode(source: EdgeSource): void {
  describePostgres(`A node that reads from ${source} catches up after a pause of its process`, () =>
    frozenNode(source),
  );
}

function frozenNode(source: EdgeSource): void {
  const ca = createThrowawayCa();
  let postgres: RestartablePostgres;
  let composition: Composition;
  let origin: OriginUnderTest;
  let node: RunningNode;
  let caller: Parameters<typeof deleteDomain>[1];
  let key: string;
  let gone: DomainId;
  let left: DomainId;
  let nats: Partial<ReturnType<typeof natsSettings>> = {};
  let relay: RunningNode | null = null;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    postgres = await startRestartablePostgres();
    await migrateAt(postgres.url);
    origin = await originWith((_, response) => response.end('hello'));
    composition = await composeService(testConfig(postgres.url), QUIET);
    const { context } = composition;
    const opened = await openAccount(context, 'ada', {
      name: 'Acme',
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
    });
    key = opened.live_key ?? '';
    const { app, account } = opened;
    caller = {
      app_id: app.id,
      account_id: account.id,
      key_id: context.ids('key'),
      mode: 'live',
      idempotency: null,
    };
    await updateCurrentApp(context, caller, { body: { origin_url: origin.url } });
    gone = await addActiveDomain(context, caller, ca, { hostname: GONE });
    await addActiveDomain(context, caller, ca, { hostname: KEPT });
    left = await addActiveDomain(context, caller, ca, { hostname: LEFT });
    if (source === 'nats') {
      nats = natsSettings(await startNats('', { atEnd: (end) => ends.push(end) }));
      relay = new RunningNode({
        ...nats,
        DATABASE_URL: postgres.url,
        NAMEPLATE_ROLES: 'api,relay',
        NAMEPLATE_EDGE_NODE: 'relay-1',
      });
      await relay.start();
    }
    node = new RunningNode({ ...nats, DATABASE_URL: postgres.url, NAMEPLATE_ROLES: 'api,edge' });
    await node.start();
  });
  afterAll(async () => {
    await node?.kill();
    await relay?.kill();
    for (const end of ends) await end();
    await composition?.close();
    for (const each of [origin, postgres]) await each?.[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
  });

  /** Stops the node's process, does the work, and lets the process run again. */
  async function whileFrozen<T>(work: () => Promise<T>, { pid = 0 } = node): Promise<T> {
    process.kill(pid, 'SIGSTOP');
    try {
      const [done] = await Promise.all([work(), delay(FROZEN_MS)]);
      return done;
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  function visitor({ addresses } = node): EdgeVisitor {
    const port = addresses?.edge_port ?? 0;
    return edgeVisitor({ host: '127.0.0.1', port }, ca.certificate, { keep: true });
  }

  const callApi = () => api(node.addresses?.api_url ?? '', key, 'GET /apps/current');

  test('does not serve a domain that was deleted during the pause, not even to a request on an open connection', async () => {
    const { context } = composition;
    using visits = visitor();
    for (const host of [GONE, KEPT])
      expect(await visits.visit(host)).toMatchObject({ status: 200, body: 'hello' });
    const held = await whileFrozen(async () => {
      await deleteDomain(context, caller, { params: { id: gone } });
      return { gone: visits.visit(GONE), kept: visits.visit(KEPT) };
    });
    expect((await held.gone).status).toBe(404);
    expect((await held.kept).status).toBe(200);
  });

  test('refuses an API key that was revoked during the pause', async () => {
    const { context } = composition;
    const { body } = await api(node.addresses?.api_url ?? '', key, 'POST /keys', {
      name: 'second',
      mode: 'live',
    });
    const second = String(body['key']);
    const call = () => api(node.addresses?.api_url ?? '', second, 'GET /apps/current');
    expect((await call()).status).toBe(200);
    const held = await whileFrozen(async () => {
      await revokeKey(context, caller, { params: { id: body.id } });
      return { call: call() };
    });
    expect((await held.call).status).toBe(401);
    expect((await callApi()).status).toBe(200);
  });

  describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'with nginx as its engine', () => {
    let nginx: RunningNode;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'np-frozen-'));

    beforeAll(async () => {
      nginx = new RunningNode({
        ...nats,
        DATABASE_URL: postgres.url,
        NAMEPLATE_ROLES: 'edge',
        NAMEPLATE_EDGE_NODE: 'edge-2',
        NAMEPLATE_EDGE_ENGINE: 'nginx',
        NAMEPLATE_EDGE_FOLDER: path.join(folder, 'edge'),
      });
      await nginx.start();
    });
    afterAll(async () => {
      await nginx?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Sends the health check of a load balancer to nginx. Returns the status. */
    async function health(): Promise<number> {
      return (await fetch(`http://127.0.0.1:${nginx.addresses?.edge_http_port}/readyz/edge`)).status;
    }

    test('nginx serves visitors in the pause but fails its health check, and serves no deleted domain once the check passes', async () => {
      using visits = visitor(nginx);
      for (const host of [LEFT, KEPT]) expect((await visits.visit(host)).status).toBe(200);
      await expect.poll(health, { timeout: 10_000 }).toBe(200);
      await whileFrozen(async () => {
        await deleteDomain(composition.context, caller, { params: { id: left } });
        await expect.poll(health, { timeout: 20_000 }).toBe(503);
        for (const host of [LEFT, KEPT]) expect((await visits.visit(host)).status).toBe(200);
      }, nginx);
      await expect.poll(health, { timeout: 10_000 }).toBe(200);
      expect((await visits.visit(LEFT)).status).toBe(404);
      expect((await visits.visit(KEPT)).status).toBe(200);
    });
  });

  test('serves known routes while Postgres is away', async () => {
    using visits = visitor();
    expect((await visits.visit(KEPT)).status).toBe(200);
    const held = await whileFrozen(async () => {
      await postgres.stop();
      return { kept: visits.visit(KEPT) };
    });
    expect(await held.kept).toMatchObject({ status: 200, body: 'hello' });
    await postgres.start();
  });
}
