import { expect, test } from 'vitest';
import { systemClock } from '../../../shared/adapters/system.ts';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import { newOrder, ORDER_STALLED_MS } from '../../../shared/core/certificates/certificate-order.ts';
import { slotsOf } from '../../../shared/core/domains/job.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import { takePlace } from '../../../shared/operations/certificates/orders/authority-limits.ts';
import { transact } from '../../../shared/operations/context.ts';
import { pause } from '../../../shared/ports/system.ts';
import { saveCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { selectJobs } from '../../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const DUE = 25;
const SLOTS = slotsOf('jobs_certificates').inFlightPerAccountMax;

/** Creates a test service with a running clock, due orders of one account, and a CA that processes each order for a while. */
async function dueOrders(count: number): Promise<CertificateWorld> {
  const under = await certificateWorld({ authorities: ['first'], clock: systemClock });
  under.acme.first.processingLooks = 1;
  for (let n = 0; n < count; n++) await under.addIssuing(`careers-${n}.acme.com`);
  return under;
}

function runnerOf({ world }: CertificateWorld) {
  const { issue } = COMMON_HANDLERS;
  return createRunner(world.context, {
    handlers: issue ? { issue } : {},
    limits: { inFlightMax: 1, inFlightPerAccountMax: 1 },
    pollMs: 100,
  });
}

/** Waits until the CA has received this number of requests for a resource. */
async function asked({ acme }: CertificateWorld, resource: string, times: number): Promise<void> {
  for (let looks = 0; looks < 1000 && acme.first.count(resource) < times; looks++) await pause(10);
  expect(acme.first.count(resource)).toBeGreaterThanOrEqual(times);
}

test('a worker continues the orders that it began before it begins other orders', async () => {
  await using under = await dueOrders(DUE);
  const runner = runnerOf(under);
  runner.start();
  await asked(under, 'certificate', DUE);
  await runner.stop();
  let open = 0;
  let openMax = 0;
  for (const resource of under.acme.first.asked) {
    open += Number(resource === 'newOrder') - Number(resource === 'certificate');
    openMax = Math.max(openMax, open);
  }
  expect(openMax).toBeLessThanOrEqual(SLOTS);
});

test('a worker that stops puts its orders back at the head of the queue', async () => {
  await using under = await dueOrders(DUE);
  under.acme.first.processingLooks = 1000;
  const runner = runnerOf(under);
  runner.start();
  await asked(under, 'finalize', SLOTS);
  await runner.stop();
  const { store } = under.world.context;
  const jobs = await selectJobs(store, { limit: DUE });
  const open = await store.db.selectFrom('certificate_orders').select('domain_id').execute();
  expect(open).toHaveLength(SLOTS);
  const head = jobs.slice(0, SLOTS).map(({ subject_id, leased }) => ({ subject_id, leased }));
  expect(head.map(({ subject_id }) => subject_id).sort()).toEqual(open.map((each) => each.domain_id).sort());
  expect(head.every(({ leased }) => !leased)).toBe(true);
});

test('an order without progress for ten minutes gives its place to another order', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { context, clock } = under.world;
  const [authority] = under.authorities;
  if (authority === undefined) throw new Error('no authority');
  const { ca } = authority;
  const { account_id } = under.caller;
  const place = () =>
    transact(context, (tx) =>
      takePlace(tx, ca, { names: ['a.acme.com'], purpose: 'issue', account_id, exempt: false }),
    );
  const { of, parts } = BUDGETS.ca_places;
  for (let n = 0; n < of / parts; n++) {
    expect(await place()).toBeNull();
    const order = newOrder(await under.addIssuing(`careers-${n}.acme.com`), 'issue', clock.now());
    await saveCertificateOrder(autocommit(context.store), { ...order, ca: ca.name });
  }
  expect(await place()).not.toBeNull();
  clock.move(ORDER_STALLED_MS);
  expect(await place()).toBeNull();
});
