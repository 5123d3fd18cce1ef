import { expect, test } from 'vitest';
import { systemClock } from '../../shared/adapters/system.ts';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { COMMON_HANDLERS } from '../../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../../shared/jobs/runner.ts';
import { pause } from '../../shared/ports/system.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { type CertificateWorld, certificateWorld } from '../operations/certificates/certificate-world.ts';
import { openDatabase } from '../store/open-postgres.ts';

const ORDERS = Number(process.env['ORDERS_DUE'] ?? 10_000);
const ACCOUNTS = 20;
const NODES = 2;
const PARTS = 10;

/** The measurements of one part of the orders. */
interface Part {
  issued: number;
  /** Number of requests to the CA. */
  requests: number;
  seconds: number;
  /** CPU time of this process, in which the nodes and the CA run. */
  cpuMs: number;
}

describePostgres(`${ORDERS} certificate orders that are due at the same time`, () => {
  test('are processed at a constant rate from the start, with few concurrently open orders', {
    timeout: 3_600_000,
  }, async () => {
    await using database = await openDatabase();
    await using under = await certificateWorld({
      authorities: ['first'],
      clock: systemClock,
      store: database.store,
    });
    for (const { ca } of under.authorities) ca.limits.orders = { limit: 10 * ORDERS, window_ms: 3_600_000 };
    under.acme.first.processingLooks = 1;
    await addOrders(under);
    const { asked } = under.acme.first;
    const start = asked.length;
    const runners = Array.from({ length: NODES }, () => runnerOf(under));
    const startedAt = performance.now();
    let cpu = process.cpuUsage();
    for (const runner of runners) runner.start();
    const parts: Part[] = [];
    let firstAfterMs = 0;
    let read = { requests: start, at: startedAt };
    for (let issued = 0; parts.length < PARTS; ) {
      await pause(20);
      const now = under.acme.first.count('certificate');
      if (now > 0 && firstAfterMs === 0) firstAfterMs = performance.now() - startedAt;
      if (now < ((parts.length + 1) * ORDERS) / PARTS) continue;
      const at = performance.now();
      parts.push({
        issued: now - issued,
        requests: asked.length - read.requests,
        seconds: (at - read.at) / 1000,
        cpuMs: cpuMsSince(cpu),
      });
      read = { requests: asked.length, at };
      issued = now;
      cpu = process.cpuUsage();
    }
    await Promise.all(runners.map((runner) => runner.stop()));
    const { openMax, beforeFirst } = openOrders(asked.slice(start));
    console.log(`first issued after ${Math.round(firstAfterMs)} ms and ${beforeFirst} new orders`);
    console.log(`at most ${openMax} open at once`);
    for (const { issued, requests, seconds, cpuMs } of parts) {
      const each = `${(requests / issued).toFixed(2)} requests and ${(cpuMs / issued).toFixed(1)} ms of CPU each`;
      console.log(`${(issued / seconds).toFixed(1)} a second, ${each}`);
    }
    expect(openMax).toBeLessThanOrEqual(BUDGETS.ca_places.of);
    expect(beforeFirst).toBeLessThanOrEqual(BUDGETS.ca_places.of);
    // The wall time of a part depends on the machine, so the test compares the work per certificate. Later parts complete orders that the
    // first part opened.
    for (const work of ['requests', 'cpuMs'] as const) {
      const each = parts.slice(1).map((part) => part[work] / part.issued);
      expect(Math.max(...each) / Math.min(...each), work).toBeLessThan(2);
    }
  });
});

async function addOrders(under: CertificateWorld): Promise<void> {
  for (let account = 0; account < ACCOUNTS; account++) {
    under.caller = { ...(await under.world.addApp(`app-${account}`)), mode: 'live' };
    const names = Array.from({ length: ORDERS / ACCOUNTS }, (_, n) => `careers-${account}-${n}.acme.com`);
    for (const name of names) await under.addIssuing(name);
  }
}

/** Creates a runner that runs only certificate orders, as a node. */
function runnerOf({ world }: CertificateWorld): Runner {
  const { issue } = COMMON_HANDLERS;
  return createRunner(world.context, {
    handlers: issue ? { issue } : {},
    limits: { inFlightMax: 10, inFlightPerAccountMax: 10 },
    pollMs: 1000,
  });
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Returns the maximum number of concurrently open orders, and the number of orders before the first certificate. */
function openOrders(asked: readonly string[]): { openMax: number; beforeFirst: number } {
  let open = 0;
  let openMax = 0;
  for (const resource of asked) {
    open += Number(resource === 'newOrder') - Number(resource === 'certificate');
    openMax = Math.max(openMax, open);
  }
  const first = asked.indexOf('certificate');
  return { openMax, beforeFirst: asked.slice(0, first).filter((each) => each === 'newOrder').length };
}
