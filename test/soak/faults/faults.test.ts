import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { timestamp } from '../../../shared/core/instant.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { seededRandom } from '../../fixtures/seeded-random.ts';
import { checkLedger } from './check-ledger.ts';
import type { FaultNode, Health } from './fault-nodes.ts';
import { type FaultWorld, startFaultWorld } from './fault-world.ts';
import { FAULTS, type Fault, PROMOTION } from './faults.ts';
import { openLedger } from './ledger.ts';
import { POSTGRES_PACKAGES } from './postgres-pair.ts';
import { replicaDifferences } from './replica-differences.ts';

const SEED = Number(process.env['FAULTS_SEED'] ?? 1);
/** The edges also serve this number of hostnames, which the test does not change. */
const HOSTNAMES = Number(process.env['FAULTS_HOSTNAMES'] ?? 10_000);
/** Time that all nodes have to become ready after a fault. */
const RECOVERED = { timeout: 60_000, interval: 200 };
const WATCH_MS = 1_000;

/** The row of a fault in the printed table: what the nodes reported during the fault. */
interface Row {
  fault: string;
  /** For each node, the distinct statuses in order: of `/readyz`, of `/readyz/edge`, and of `/readyz/edge` at the port for visitors. */
  said: string[];
  reasons: string;
  log: string;
  /** Visits without a response until the nodes were ready again, by node and reason. */
  refused: string;
  /** Number of responses with 429. Some are possible, because a node without network can lock rows of its account for 15 seconds. */
  limited: number;
  recoveredMs: number;
}

describeUnlessMissing(
  whyMissing(POSTGRES_PACKAGES) ?? whyMissing(NGINX_PACKAGES),
  'four nodes of the service survive faults',
  () => {
    test('the nodes lose no change, serve correctly, report each fault, and end with equal replicas', {
      timeout: 5_400_000,
    }, async () => {
      await using world = await startFaultWorld({ liveCount: 60, hostnames: HOSTNAMES, hasOutside: true });
      const ledger = openLedger(world);
      await untilReady(world.nodes);
      const rows: Row[] = [];
      const failures: string[] = [];
      const random = seededRandom(SEED);
      const order = FAULTS.map((fault) => ({ fault, at: random() })).sort((a, b) => a.at - b.at);
      for (const fault of [...order.map(({ fault }) => fault), PROMOTION]) {
        const row = await under(fault, world, ledger, failures);
        rows.push(row);
        console.log(new Date().toISOString(), JSON.stringify(row));
        const refusedBefore = ledger.refused.length;
        await ledger.endOne([]);
        for (const { node, at, reason } of ledger.refused.slice(refusedBefore))
          failures.push(`after ${fault.name}: ${node} refused a visit at ${timestamp(at)}: ${reason}`);
      }
      await ledger.stop();
      const totals = await checkLedger(world, ledger);
      for (const { name, replica } of world.nodes) {
        const differences = () => replicaDifferences(replica, world.database().url);
        await expect.poll(differences, { ...RECOVERED, message: `the replica of ${name}` }).toEqual([]);
      }
      console.log(
        `| fault | built-in | two processes | nginx | outside | reasons | log | refused visits | all ready after |`,
      );
      for (const { fault, said, reasons, log, refused, recoveredMs } of rows)
        console.log(`| ${[fault, ...said, reasons, log, refused, `${recoveredMs} ms`].join(' | ')} |`);
      console.log({ seed: SEED, ...totals });
      expect([...failures, ...ledger.wrong]).toEqual([]);
      expect(Math.max(...ledger.endedAfterMs)).toBeLessThanOrEqual(5_000);
    });
  },
);

async function under(
  fault: Fault,
  world: FaultWorld,
  ledger: ReturnType<typeof openLedger>,
  failures: string[],
): Promise<Row> {
  const { nodes } = world;
  const from = nodes.map(({ lines }) => lines.length);
  const refusedBefore = ledger.refused.length;
  const seen: Health[][] = nodes.map(() => []);
  const never = () => ledger.answers.get(fault.says?.never ?? '') ?? 0;
  const neverBefore = never();
  const limited = () => ledger.answers.get('429 rate_limited') ?? 0;
  const limitedBefore = limited();
  const heal = await fault.cause(world);
  const until = performance.now() + fault.forMs;
  const blind = fault.blind.map((index) => nodes[index] as FaultNode);
  const ending = blind.length < nodes.length ? ledger.endOne(blind) : Promise.resolve();
  do {
    const now = await Promise.all(nodes.map((node) => node.health()));
    for (const [index, health] of now.entries()) seen[index]?.push(health);
    await delay(Math.min(WATCH_MS, Math.max(0, until - performance.now())));
  } while (performance.now() < until);
  await heal();
  await ending;
  const healedAt = performance.now();
  await untilReady(nodes);
  const lines = nodes.flatMap((node, index) => node.lines.slice(from[index]));
  const row = {
    fault: fault.name,
    said: seen.map((states) => saidOf(states)),
    reasons: [...new Set(seen.flat().flatMap(reasonsOf))].join('; '),
    log: wordsOf(lines).join('; '),
    refused: countsOf(
      ledger.refused.slice(refusedBefore).map(({ node, reason }) => `${node}: ${reason}`),
    ).join('; '),
    limited: limited() - limitedBefore,
    recoveredMs: Math.round(performance.now() - healedAt),
  };
  if (never() > neverBefore) failures.push(`${fault.name}: a client got ${fault.says?.never}`);
  failures.push(...missingIn(fault, seen, `${row.reasons} ${row.log}`));
  return row;
}

async function untilReady(nodes: readonly FaultNode[]): Promise<void> {
  const statuses = async () =>
    (await Promise.all(nodes.map((node) => node.health()))).flatMap(({ ready, edge }) => [
      ready?.status,
      edge,
    ]);
  await expect.poll(statuses, RECOVERED).toEqual(nodes.flatMap(() => [200, 200]));
}

function saidOf(states: readonly Health[]): string {
  const said = states.map(({ ready, edge, port }) =>
    [ready?.status, edge, port].map((status) => status ?? 'none').join('/'),
  );
  return said.filter((each, n) => each !== said[n - 1]).join(' → ');
}

/** Returns the problems that `/readyz` names, with the node's processes that are not ready. */
function reasonsOf({ ready }: Health): string[] {
  if (ready === null) return [];
  const { database, checks, processes } = ready.state as {
    database?: string;
    checks?: Record<string, string>;
    processes?: { name: string; state: string }[];
  };
  return [
    ...(database === 'ok' || database === undefined ? [] : [`database: ${database}`]),
    ...Object.entries(checks ?? {}).flatMap(([name, state]) => (state === 'ok' ? [] : [`${name}: ${state}`])),
    ...(processes ?? []).flatMap(({ name, state }) => (state === 'ready' ? [] : [`${name}: ${state}`])),
  ];
}

/** Returns the distinct messages of warnings and errors in log lines. */
function wordsOf(lines: readonly string[]): string[] {
  const messages = lines.flatMap((line) => {
    if (!line.startsWith('{')) return [line];
    const { level, msg } = JSON.parse(line) as { level: string; msg: string };
    return level === 'warn' || level === 'error' ? [msg] : [];
  });
  return countsOf(messages);
}

function countsOf(texts: readonly string[]): string[] {
  const all = Map.groupBy(texts, (each) => each);
  return [...all].map(([each, { length }]) => (length === 1 ? each : `${each} (${length} times)`));
}

/** Returns the reports that the fault requires but that no node gave. Uses only the last health check. */
function missingIn({ name, says }: Fault, seen: readonly Health[][], words: string): string[] {
  if (says === undefined) return [];
  const last = seen[says.node]?.at(-1);
  const missing: string[] = [];
  if (says.readyz !== undefined && (last?.ready?.status ?? null) !== says.readyz)
    missing.push(`${name}: /readyz was ${last?.ready?.status}, not ${says.readyz}`);
  if (says.edge !== undefined && last?.edge !== says.edge)
    missing.push(`${name}: /readyz/edge was ${last?.edge}, not ${says.edge}`);
  if (says.port !== undefined && last?.port !== says.port)
    missing.push(`${name}: /readyz/edge at the visitors' port was ${last?.port}, not ${says.port}`);
  if (says.about !== undefined && !says.about.test(words))
    missing.push(`${name}: nothing says ${says.about}`);
  return missing;
}
