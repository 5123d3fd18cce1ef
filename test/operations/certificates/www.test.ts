import { describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { updateDomain } from '../../../shared/operations/domains/update-domain.ts';
import type { UpdateDomain } from '../../../shared/schema/domain.ts';
import { findCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { findNewestCertificate, setRenewal } from '../../../shared/store/certificates/certificates.ts';
import { scheduleJob, selectJobs } from '../../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { certificateSource } from '../edge/stored-values.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

/** Tests the certificate of an apex domain whose `www` name the edge redirects to the apex. */

const REFUSED = { type: 'connection', detail: 'Timeout during connect' };

async function serial(under: CertificateWorld, hostname: string): Promise<string | undefined> {
  return (await certificateSource(under.world.context).findCertificate(hostname))?.serial;
}

const APEX = 'acme.com';
const WWW = 'www.acme.com';
const change = { apex_redirect: 'www' } as const;
const namesOf = async (under: CertificateWorld, id: DomainId) =>
  (await findNewestCertificate(under.world.context.store, id))?.names;

test('the certificate of an apex covers www if both records are right', async () => {
  await using under = await certificateWorld();
  under.right.add('www.acme.com');
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  expect(await namesOf(under, id)).toEqual([APEX, 'www.acme.com']);
  expect(await serial(under, 'www.acme.com')).toBe(await serial(under, APEX));
});

test('the worker looks up www only while an authority accepts orders for the apex', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { context } = under.world;
  const { dns } = context;
  if (dns === null) throw new Error('no DNS');
  let surveys = 0;
  context.dns = {
    ...dns,
    survey: (expectation, depth) => {
      surveys++;
      return dns.survey(expectation, depth);
    },
  };
  const limit = { status: 429, type: 'rateLimited', detail: 'too many new orders from this account' };
  under.acme.first.fail('newOrder', { ...limit, retryAfter: '60' }, 20);
  const id = await under.addIssuing(APEX, change);
  await under.pass(SECOND_MS);
  expect(surveys).toBe(1);
  const [job] = (await selectJobs(context.store, { limit: 100 })).filter(({ kind }) => kind === 'issue');
  if (!job) throw new Error('no job');
  const { subject_id, app_id } = job;
  await scheduleJob(autocommit(context.store), {
    kind: 'issue',
    subject_id,
    app_id,
    due_at: under.world.clock.now(),
  });
  await under.pass(SECOND_MS);
  expect(surveys).toBe(1);
  expect((await under.domain(id)).status_reason).toBe('ca_rate_limited');
});

test('the certificate of an apex is not delayed by www, which is added later without an event', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  expect(await namesOf(under, id)).toEqual([APEX]);
  under.right.add('www.acme.com');
  await under.pass(2 * HOUR_MS);
  expect(await namesOf(under, id)).toEqual([APEX, 'www.acme.com']);
  expect(under.events.at(-1)).toBe('domain.active');
  expect((await under.domain(id)).status).toBe('active');
});

async function patched(under: CertificateWorld, id: DomainId, body: UpdateDomain) {
  const { app_id } = await under.domain(id);
  const caller = { app_id, mode: 'live' } as Caller;
  return (await updateDomain(under.world.context, caller, { params: { id }, body })).body;
}

test('the certificate of an apex gets www at once when the app sets the redirect on a live domain', async () => {
  await using under = await certificateWorld();
  under.right.add(WWW);
  const id = await under.addIssuing(APEX);
  await under.pass(MINUTE_MS);
  expect(await namesOf(under, id)).toEqual([APEX]);
  expect((await patched(under, id, change)).dns.apex?.www?.name).toBe('www');
  await under.pass(MINUTE_MS);
  expect(await namesOf(under, id)).toEqual([APEX, WWW]);
});

test('the certificate of an apex gets www at once when the app sets the redirect during a check of the renewal', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  under.right.add(WWW);
  const id = await under.addIssuing(APEX);
  await under.pass(MINUTE_MS);
  const [authority] = under.authorities;
  if (!authority) throw new Error('no authority');
  const { renewalWindow } = authority;
  let checks = 0;
  authority.renewalWindow = async (ariId) => {
    if (checks++ === 0) await patched(under, id, change);
    return renewalWindow(ariId);
  };
  const { app_id } = await under.domain(id);
  const { context, clock } = under.world;
  await scheduleJob(autocommit(context.store), {
    kind: 'renew',
    subject_id: id,
    app_id,
    due_at: clock.now(),
  });
  await under.pass(MINUTE_MS);
  expect(checks).toBeGreaterThan(0);
  expect(await namesOf(under, id)).toEqual([APEX, WWW]);
});

test('an update of other fields causes no lookup of www', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  const dueOf = async () =>
    (await selectJobs(under.world.context.store, { limit: 100 })).find(({ kind }) => kind === 'renew')
      ?.due_at;
  const due = await dueOf();
  expect(due).toBeGreaterThan(under.world.clock.now());
  await patched(under, id, { ...change, metadata: { team: 'people' } });
  expect(await dueOf()).toBe(due);
});

test.each(['connection', 'caa'])(
  'the apex gets a certificate without www if only www fails: %s',
  async (type) => {
    await using under = await certificateWorld();
    under.right.add('www.acme.com');
    under.acme.first.validate = ({ hostname }) => (hostname === APEX ? null : { type, detail: 'www' });
    const id = await under.addIssuing(APEX, change);
    await under.pass(MINUTE_MS);
    expect(await namesOf(under, id)).toEqual([APEX]);
    expect((await under.domain(id)).status).toBe('active');
  },
);

test('the apex gets a certificate without www if CAA records forbid only www', async () => {
  await using under = await certificateWorld();
  under.right.add('www.acme.com');
  under.caa.set('www.acme.com', '0 issue ";"');
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  expect(await namesOf(under, id)).toEqual([APEX]);
});

test('the apex is not ordered again and again while its www fails', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  const before = await serial(under, APEX);
  under.right.add('www.acme.com');
  under.acme.first.validate = ({ hostname }) => (hostname === APEX ? null : REFUSED);
  await under.pass(5 * DAY_MS);
  expect(await serial(under, APEX)).toBe(before);
  expect(under.acme.first.count('newOrder')).toBeLessThan(8);
  expect((await under.domain(id)).status).toBe('active');
});

test('a renewal that becomes due while www is being added still emits its event', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  under.right.add('www.acme.com');
  // The CA processes the order until this is set to 0.
  under.acme.first.processingLooks = 1000;
  const { store } = under.world.context;
  await under.pass(HOUR_MS);
  const current = await findNewestCertificate(store, id);
  expect((await findCertificateOrder(store, id))?.purpose).toBe('join_www');
  if (current) await setRenewal(autocommit(store), { ...current, renews_at: 0 });
  under.acme.first.processingLooks = 0;
  await under.pass(5 * MINUTE_MS);
  expect(await namesOf(under, id)).toEqual([APEX, 'www.acme.com']);
  expect(under.events.at(-1)).toBe('domain.certificate_renewed');
});

test('a renewal that would otherwise fail leaves out www', async () => {
  await using under = await certificateWorld();
  under.right.add('www.acme.com');
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  under.right.delete('www.acme.com');
  await under.pass(80 * DAY_MS);
  expect(await namesOf(under, id)).toEqual([APEX]);
  expect(under.events.at(-1)).toBe('domain.certificate_renewed');
  expect(await serial(under, 'www.acme.com')).toBeUndefined();
});

describe('the certificate of an apex whose www is a domain of another app depends on that domain', () => {
  /** Adds www.acme.com as another app's domain. */
  async function claim(under: CertificateWorld): Promise<DomainId> {
    const other = { ...(await under.world.addApp('other')), mode: 'live' } as const;
    const { body } = await createDomain(under.world.context, other, { body: { hostname: WWW } });
    return body.id as DomainId;
  }

  test('keeps www if the other domain was never confirmed', async () => {
    await using under = await certificateWorld();
    under.right.add(WWW);
    await claim(under);
    const id = await under.addIssuing(APEX, change);
    await under.pass(5 * SECOND_MS);
    expect(await namesOf(under, id)).toEqual([APEX, WWW]);
    await under.pass(80 * DAY_MS);
    expect(under.events.filter((type) => type === 'domain.certificate_renewed')).toHaveLength(1);
    expect(await namesOf(under, id)).toEqual([APEX, WWW]);
  });

  test('loses www once the other domain is confirmed', async () => {
    await using under = await certificateWorld();
    under.right.add(WWW);
    const id = await under.addIssuing(APEX, change);
    await under.pass(5 * SECOND_MS);
    const rival = await under.domain(await claim(under));
    await causeTransition(under.world.context, rival, { name: 'dns_confirmed', routed_through: 'target' });
    await under.pass(80 * DAY_MS);
    expect(await namesOf(under, id)).toEqual([APEX]);
    expect(await namesOf(under, rival.id)).toEqual([WWW]);
  });
});

test('the renewed certificate keeps www if the CAA records of www become readable soon, and loses www otherwise', async () => {
  await using under = await certificateWorld({ ari: false });
  under.right.add(WWW);
  const id = await under.addIssuing(APEX, change);
  await under.pass(60 * DAY_MS - MINUTE_MS);
  under.caa.set(WWW, 'servfail');
  await under.pass(HOUR_MS);
  under.caa.delete(WWW);
  await under.pass(2 * HOUR_MS);
  expect(under.events.at(-1)).toBe('domain.certificate_renewed');
  expect(await namesOf(under, id)).toEqual([APEX, WWW]);
  expect(under.acme.first.count('newOrder')).toBe(2);
  await under.pass(59 * DAY_MS);
  under.caa.set(WWW, 'servfail');
  await under.pass(2 * DAY_MS);
  expect(under.events.filter((type) => type === 'domain.certificate_renewed')).toHaveLength(2);
  expect(await namesOf(under, id)).toEqual([APEX]);
});

test('the renewed certificate keeps www while lookups fail, but www is not added then', async () => {
  await using under = await certificateWorld({ ari: false });
  under.right.add(WWW);
  const id = await under.addIssuing(APEX, change);
  await under.pass(MINUTE_MS);
  const other = await under.addIssuing('beta.com', change);
  await under.pass(MINUTE_MS);
  under.silent.add(WWW).add('www.beta.com');
  await under.pass(61 * DAY_MS);
  expect(under.events.filter((type) => type === 'domain.certificate_renewed')).toHaveLength(2);
  expect(await namesOf(under, id)).toEqual([APEX, WWW]);
  expect(await namesOf(under, other)).toEqual(['beta.com']);
});
