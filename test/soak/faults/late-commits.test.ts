import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { api } from '../../service/run-service.ts';
import { checkLedger } from './check-ledger.ts';
import type { FaultNode } from './fault-nodes.ts';
import { type FaultWorld, startFaultWorld } from './fault-world.ts';
import type { HeldCommit } from './gate.ts';
import { type Ledger, openLedger, visit } from './ledger.ts';
import { POSTGRES_PACKAGES } from './postgres-pair.ts';

/**
 * The delay of a commit. It is shorter than the 15 seconds after which Postgres ends an idle transaction, and longer than a reader could
 * wait for a missing change.
 */
const LATE_MS = 12_000;
const ROUNDS = 10;
const GONE = { timeout: 5_000, interval: 50 };

type Domain = FaultWorld['live'][number];

describeUnlessMissing(
  whyMissing(POSTGRES_PACKAGES) ?? whyMissing(NGINX_PACKAGES),
  'a database commit that arrives late',
  () => {
    test.each([
      [
        'a network that was cut',
        (world: FaultWorld, domain: Domain) => hold(world, domain, () => delay(LATE_MS)),
      ],
      [
        'a node that was frozen',
        (world: FaultWorld, domain: Domain) =>
          hold(world, domain, async () => {
            deleting(world).signal('SIGSTOP');
            await delay(LATE_MS);
            deleting(world).signal('SIGCONT');
          }),
      ],
      ['a machine that is lost while the commit waits for the standby', whileTheStandbyIsAway],
    ])(
      'reaches every edge, every event stream and every list of events after %s',
      { timeout: 900_000 },
      async (_, cause) => {
        await using world = await startFaultWorld({ liveCount: ROUNDS + 10 });
        const streams = followLive(world);
        const ledger = openLedger(world, world.nodes.slice(1));
        await untilStreaming(world, ledger);
        const ids: string[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const domain = world.live.pop() as Domain;
          ids.push(domain.id);
          const before = ledger.created.size;
          await cause(world, domain);
          if (cause !== whileTheStandbyIsAway) expect(ledger.created.size).toBeGreaterThan(before + 10);
          await untilUp(deleting(world));
          await expectDeleted(world, domain);
          await expect
            .poll(() => streams.missing(ids), { timeout: 20_000 })
            .toEqual(world.nodes.map(() => []));
        }
        streams.stop();
        await ledger.stop();
        console.log({ late: ids.length, ...(await checkLedger(world, ledger)) });
        expect(ledger.wrong).toEqual([]);
      },
    );

    test('leaves no trace if the machine is lost before it sends the commit, and the rows are unlocked after 15 seconds', {
      timeout: 900_000,
    }, async () => {
      await using world = await startFaultWorld({ liveCount: ROUNDS + 10 });
      const ledger = openLedger(world, world.nodes.slice(1));
      await untilStreaming(world, ledger);
      const [first, , other] = world.nodes as [FaultNode, FaultNode, FaultNode];
      for (let round = 0; round < ROUNDS; round++) {
        const { id, hostname } = world.live[round] as Domain;
        await heldDelete(world, id);
        await first.end('SIGKILL');
        const patch = () =>
          api(other.apiUrl, world.liveKey, `PATCH /domains/${id}`, { metadata: { round: `${round}` } });
        await expect.poll(async () => (await patch()).status, { timeout: 40_000 }).toBe(200);
        for (const node of world.nodes.slice(1)) expect(await visitStatus(world, node, hostname)).toBe(308);
        await first.start();
        await untilUp(first);
      }
      await ledger.stop();
      console.log({ lost: ROUNDS, ...(await checkLedger(world, ledger)) });
      expect(ledger.wrong).toEqual([]);
    });
  },
);

/** Deletes a live domain through the node with the built-in engine, and delays the commit until `late` resolves. */
async function hold(world: FaultWorld, domain: Domain, late: () => Promise<unknown>): Promise<void> {
  const commit = await heldDelete(world, domain.id);
  expect(await visitStatus(world, deleting(world), domain.hostname)).toBe(308);
  await late();
  commit.release();
}

/** Cuts off a node's machine while its commit waits for the standby. The commit becomes visible when the standby is back. */
async function whileTheStandbyIsAway(world: FaultWorld, { id }: Domain): Promise<void> {
  const { pair } = world;
  const node = deleting(world);
  const commit = await heldDelete(world, id);
  pair.replication.isSilent = true;
  commit.release();
  const waiting = async () =>
    (await pair.primary.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'")).length;
  await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0);
  await delay(1_000);
  node.gate.isSilent = true;
  await node.end('SIGKILL');
  await delay(LATE_MS);
  pair.replication.isSilent = false;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  node.gate.isSilent = false;
  await node.start();
}

const deleting = ({ nodes }: FaultWorld): FaultNode => nodes[0] as FaultNode;

function sendDelete(world: FaultWorld, id: string): void {
  api(deleting(world).apiUrl, world.liveKey, `DELETE /domains/${id}`).catch(() => undefined);
}

function heldDelete(world: FaultWorld, id: string): Promise<HeldCommit> {
  const held = deleting(world).gate.holdCommit(
    (written) => written.includes(id) && written.includes('domain.deleted'),
  );
  sendDelete(world, id);
  return held;
}

async function expectDeleted(world: FaultWorld, { id, hostname }: Domain): Promise<void> {
  for (const node of world.nodes) {
    await expect.poll(() => visitStatus(world, node, hostname), GONE).not.toBe(308);
    const read = await api(node.apiUrl, world.liveKey, `GET /domains/${id}`);
    expect([read.status, read.body['status']]).toEqual([404, undefined]);
    const { body } = await api(node.apiUrl, world.liveKey, `GET /events?domain_id=${id}&type=domain.deleted`);
    expect(body['data']).toHaveLength(1);
  }
}

/** Follows the live events on every node. */
function followLive({ nodes, liveKey }: FaultWorld) {
  const stopping = new AbortController();
  const deleted = nodes.map(() => new Set<string>());
  for (const [index, { apiUrl }] of nodes.entries())
    follow(apiUrl, deleted[index] as Set<string>).catch(() => undefined);
  async function follow(baseUrl: string, ids: Set<string>): Promise<void> {
    const client = createClient({ apiKey: liveKey, baseUrl });
    for await (const { type, domain_id } of client.events.follow({ signal: stopping.signal }))
      if (type === 'domain.deleted') ids.add(domain_id);
  }
  return {
    /** Returns for each node the ids of deleted domains whose event its stream has not returned. */
    missing: (ids: string[]) => deleted.map((seen) => ids.filter((id) => !seen.has(id))),
    stop: () => stopping.abort(),
  };
}

async function visitStatus(world: FaultWorld, node: FaultNode, hostname: string): Promise<number | null> {
  const seen = await visit(node, hostname, world.ca.certificate);
  return typeof seen === 'string' ? null : seen.status;
}

async function untilStreaming({ nodes }: FaultWorld, ledger: Ledger): Promise<void> {
  await expect
    .poll(() => nodes.every((node) => (ledger.streamed.get(node)?.length ?? 0) > 0), { timeout: 60_000 })
    .toBe(true);
}

async function untilUp(node: FaultNode): Promise<void> {
  await expect.poll(async () => (await node.health()).ready?.status, { timeout: 60_000 }).toBe(200);
}
