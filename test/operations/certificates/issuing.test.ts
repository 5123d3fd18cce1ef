import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import type { IssuanceOutcome } from '../../../shared/operations/context.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { findCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { selectJobs } from '../../../shared/store/jobs/jobs.ts';
import type { Look } from '../../fixtures/acme/acme-orders.ts';
import { certificateSource, challengeSource } from '../edge/stored-values.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const REFUSED = { type: 'unauthorized', detail: 'Invalid response from http://careers.acme.com: 404' };

test('a confirmed hostname gets a certificate, and becomes active only once the edge serves it', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  const domain = await under.domain(id);
  expect(domain).toMatchObject({
    status: 'active',
    status_reason: null,
    certificate: { issuer: 'First CA' },
  });
  const { not_before = 0, not_after = 0, renews_at = 0 } = domain.certificate ?? {};
  expect(not_after - not_before).toBe(90 * DAY_MS);
  expect(renews_at).toBeGreaterThan(not_before + 59 * DAY_MS);
  expect(under.events).toEqual(['domain.created', 'domain.verified', 'domain.active']);
  expect(under.acme.first.count('newOrder')).toBe(1);
  expect(await findCertificateOrder(under.world.context.store, id)).toBeNull();
});

test('the worker asks the authority to validate a challenge only once the edge serves the response', async () => {
  await using under = await certificateWorld();
  const asked: string[] = [];
  const answersChallenge = async ({ method }: Look & { method: string }) => {
    asked.push(method);
    expect(under.acme.first.count('challenge')).toBe(0);
    return asked.length > 3;
  };
  under.edge = { ...under.edge, answersChallenge: answersChallenge as never };
  const id = await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  expect(asked).toEqual(['http-01', 'http-01', 'http-01', 'http-01']);
  expect((await under.domain(id)).status).toBe('active');
});

test('the worker tries the other challenge method if the edge never serves the response of the first method', async () => {
  await using under = await certificateWorld();
  const { answersChallenge } = under.edge;
  under.edge = {
    ...under.edge,
    answersChallenge: async (challenge) =>
      challenge.method === 'tls-alpn-01' && (await answersChallenge(challenge)),
  };
  const looked: string[] = [];
  under.acme.first.validate = ({ type }) => {
    looked.push(type);
    return null;
  };
  const id = await under.addIssuing(HOST);
  await under.pass(20 * SECOND_MS);
  expect(looked).toEqual(['tls-alpn-01']);
  expect((await under.domain(id)).status).toBe('active');
});

test('the edge serves the challenge response that the authority expects, until the order ends', async () => {
  await using under = await certificateWorld();
  const challenges = challengeSource(under.world.context);
  let token = '';
  under.acme.first.validate = async (look) => {
    token = look.token;
    const answered = await challenges.findKeyAuthorization(look.hostname, look.token);
    return answered === look.key_authorization ? null : REFUSED;
  };
  const id = await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await challenges.findKeyAuthorization(HOST, token)).toBeNull();
});

test('the worker activates no domain whose certificate the edge does not serve', async () => {
  await using under = await certificateWorld();
  const { showsCertificate } = under.edge;
  under.edge = { ...under.edge, showsCertificate: async () => false };
  const id = await under.addIssuing(HOST);
  await under.pass(5 * MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'issuing', certificate: null });
  under.edge = { ...under.edge, showsCertificate };
  await under.pass(2 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('newOrder')).toBe(1);
});

test('the edge serves a certificate that matches its key, for its own name only', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  const { context } = under.world;
  const served = await certificateSource(context).findCertificate(HOST);
  expect(new X509Certificate(served?.chain ?? '').checkHost(HOST)).toBe(HOST);
  expect(await certificateSource(context).findCertificate('jobs.acme.com')).toBeNull();
  const row = await findNewestCertificate(context.store, id);
  expect(row?.private_key).not.toContain('PRIVATE KEY');
  expect(row?.data_key).toMatch(/^k1\./);
});

test('the worker deletes the private key of a deleted domain', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  const { context } = under.world;
  await deleteDomain(context, under.caller, { params: { id } });
  expect(await findNewestCertificate(context.store, id)).toBeNull();
  expect(await certificateSource(context).findCertificate(HOST)).toBeNull();
});

test('the worker waits for an authority that is slow', async () => {
  await using under = await certificateWorld();
  under.acme.first.processingLooks = 5;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('newOrder')).toBe(1);
});

test('the worker keeps the job and counts no failure if its node has no authority', async () => {
  await using under = await certificateWorld();
  under.world.context.issuance = null;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const jobs = await selectJobs(under.world.context.store, { limit: 10 });
  expect(jobs.map(({ kind, subject_id }) => `${kind} ${subject_id}`)).toContain(`issue ${id}`);
  expect(under.world.logged).not.toContain('a job failed; it will be retried');
});

test('the worker reports every attempt for a certificate with its authority and outcome', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const outcomes: IssuanceOutcome[] = [];
  const { context } = under.world;
  context.issuance = context.issuance && { ...context.issuance, onOutcome: (each) => outcomes.push(each) };
  await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  under.acme.first.validate = () => REFUSED;
  await under.addIssuing('jobs.acme.com');
  await under.pass(5 * SECOND_MS);
  under.caa.set('acme.com', '0 issue ";"');
  await under.addIssuing('news.acme.com');
  await under.pass(5 * SECOND_MS);
  expect(outcomes).toEqual([
    { ca: 'first', outcome: 'issued' },
    { ca: 'first', outcome: 'ca_challenge_failed' },
    { ca: null, outcome: 'caa_forbids' },
  ]);
});
