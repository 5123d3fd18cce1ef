import { describe, expect, test } from 'vitest';
import type { TriggerName } from '../../../shared/core/domains/transitions.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { issueCertificate } from '../../../shared/operations/certificates/orders/issue-certificate.ts';
import { awaitCheck, resumeOrder } from '../../../shared/operations/certificates/orders/suspend-order.ts';
import { transact } from '../../../shared/operations/context.ts';
import { deleteCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { claimJobs } from '../../../shared/store/claim-jobs.ts';
import { finishJob } from '../../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

async function happens(under: CertificateWorld, id: DomainId, name: TriggerName): Promise<void> {
  await causeTransition(under.world.context, await under.domain(id), { name, routed_through: 'target' });
}

/** Lets two resolvers return the record. The third one returns no record, with this outcome. */
function thirdSays({ world: { context } }: CertificateWorld, outcome: 'unknown' | 'nodata'): void {
  const { dns } = context;
  if (dns === null) throw new Error('no DNS');
  context.dns = {
    ...dns,
    async survey(expectation, depth) {
      const survey = await dns.survey(expectation, depth);
      const resolvers = survey.resolvers.map((view, index) =>
        index < 2 ? view : { ...view, a: { ...view.a, outcome, records: [] } },
      );
      return { ...survey, resolvers };
    },
  };
}

describe('after the release of a held domain', () => {
  async function released(under: CertificateWorld, id: DomainId): Promise<void> {
    await happens(under, id, 'hold');
    await under.pass(HOUR_MS);
    await happens(under, id, 'release');
  }
  const orders = (under: CertificateWorld) => under.acme.first.count('newOrder');

  test('no certificate is ordered before a check finds the record right', async () => {
    await using under = await certificateWorld();
    const id = await under.addIssuing(HOST);
    await released(under, id);
    await under.pass(DAY_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'issuing' });
    expect(orders(under)).toBe(0);
    under.right.add(HOST);
    under.runChecks();
    await under.pass(HOUR_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(orders(under)).toBe(1);
  });

  test('the certificate is ordered at once if a check finds the record right', async () => {
    await using under = await certificateWorld();
    under.right.add(HOST);
    under.runChecks();
    const id = await under.addIssuing(HOST);
    await released(under, id);
    await under.pass(5 * SECOND_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('a record that disappeared during the hold breaks the domain, and the authority gets no request', async () => {
    await using under = await certificateWorld();
    const id = await under.addIssuing(HOST);
    under.runChecks();
    await released(under, id);
    await under.pass(2 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'dns_broken' });
    expect(orders(under)).toBe(0);
    under.right.add(HOST);
    await under.pass(2 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('an inconclusive check is repeated at growing intervals', async () => {
    await using under = await certificateWorld();
    under.silent.add(HOST);
    const { dns } = under.world.context;
    let surveys = 0;
    if (dns === null) throw new Error('no DNS');
    under.world.context.dns = {
      ...dns,
      survey: (expectation, depth) => {
        surveys++;
        return dns.survey(expectation, depth);
      },
    };
    under.runChecks();
    const id = await under.addIssuing(HOST);
    await released(under, id);
    const before = surveys;
    await under.pass(DAY_MS);
    expect(orders(under)).toBe(0);
    expect(surveys - before).toBeLessThan(60);
    under.silent.delete(HOST);
    under.right.add(HOST);
    await under.pass(HOUR_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('a due renewal waits for the DNS check', async () => {
    await using under = await certificateWorld({ ari: false });
    const id = await under.addIssuing(HOST);
    await under.pass(61 * DAY_MS - MINUTE_MS);
    const before = orders(under);
    await happens(under, id, 'hold');
    await under.pass(60 * DAY_MS);
    await happens(under, id, 'release');
    await under.pass(DAY_MS);
    expect(orders(under)).toBe(before);
    expect((await under.domain(id)).status).toBe('active');
    under.right.add(HOST);
    under.runChecks();
    await under.pass(2 * HOUR_MS);
    expect(orders(under)).toBe(before + 1);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('an active domain loses this status if its certificate expires while checks are inconclusive', async () => {
    await using under = await certificateWorld({ ari: false });
    const id = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    await happens(under, id, 'hold');
    await under.pass(85 * DAY_MS);
    under.silent.add(HOST);
    under.runChecks();
    await happens(under, id, 'release');
    await under.pass(DAY_MS);
    expect((await under.domain(id)).status).toBe('active');
    await under.pass(5 * DAY_MS);
    expect((await under.domain(id)).status).toBe('issuing');
    expect(orders(under)).toBe(1);
  });

  test.each(['unknown', 'nodata'] as const)(
    'two of three resolvers keep the domain live and let the renewal continue if the third returns %s',
    async (outcome) => {
      await using under = await certificateWorld({ ari: false });
      // DNS checks run every few minutes, so a short certificate lifetime saves thousands of checks.
      under.acme.first.lifetimeMs = 6 * DAY_MS;
      under.right.add(HOST);
      const id = await under.addIssuing(HOST);
      await under.pass(HOUR_MS);
      thirdSays(under, outcome);
      under.runChecks();
      await released(under, id);
      await under.pass(5 * DAY_MS);
      expect(orders(under)).toBe(2);
      expect(under.events.at(-1)).toBe('domain.certificate_renewed');
    },
  );

  test('a DNS check that is already running when the job requests one causes no delay', async () => {
    await using under = await certificateWorld();
    const { context, clock } = under.world;
    const id = await under.addIssuing(HOST);
    await released(under, id);
    await under.pass(6 * HOUR_MS);
    clock.move(HOUR_MS);
    const asking = {
      now: clock.now(),
      lease_until: clock.now() + MINUTE_MS,
      limit: 1,
      kinds: ['issue'] as const,
    };
    const claim = () => claimJobs(context.store, { ...asking, makeLeaseId: () => context.ids('lea') });
    const [job] = await claim();
    if (!job) throw new Error('no job');
    const dueAt = await issueCertificate(context, job, async () => false);
    expect(dueAt).toBe(clock.now() + HOUR_MS);
    // At this moment, the worker has ended its work but not yet rescheduled its job.
    const domain = await under.domain(id);
    await transact(context, (tx) => resumeOrder(tx, domain));
    await finishJob(autocommit(context.store), job, dueAt);
    const [next] = await claim();
    if (!next) throw new Error('the job waits on');
    // At this moment, the next worker has claimed the job but not yet read the order.
    await happens(under, id, 'hold');
    await happens(under, id, 'release');
    const [held] = await claim();
    if (!held) throw new Error('no job');
    await deleteCertificateOrder(autocommit(context.store), id);
    expect(await awaitCheck({ context, job: held })).toEqual({ kind: 'wait', dueAt: clock.now() });
  });

  test.each(['daily', 'verify'])('a %s retry of a certificate waits for the DNS check', async (retry) => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.validate = () => ({ type: 'connection', detail: 'Timeout during connect' });
    const id = await under.addIssuing(HOST);
    await under.pass(HOUR_MS);
    expect((await under.domain(id)).status).toBe('cert_failed');
    await released(under, id);
    under.acme.first.validate = () => null;
    const before = orders(under);
    if (retry === 'verify') await under.verify(id);
    await under.pass(26 * HOUR_MS);
    expect(orders(under)).toBe(before);
    under.right.add(HOST);
    under.runChecks();
    await under.pass(HOUR_MS);
    expect((await under.domain(id)).status).toBe('active');
  });
});
