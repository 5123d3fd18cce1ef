import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import {
  listCertificates,
  reissueCertificate,
  showCertificate,
} from '../../../shared/operations/operator/certificates.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

test('an operator lists certificates, the first to end first, without their keys', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  under.acme.first.lifetime_ms = 6 * DAY_MS;
  const short = await under.addIssuing('jobs.acme.com');
  await under.pass(MINUTE_MS);
  under.acme.first.lifetime_ms = 90 * DAY_MS;
  const long = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const all = await listCertificates(context, { limit: 10 });
  expect(all.map(({ domain_id }) => domain_id)).toEqual([short, long]);
  expect(JSON.stringify(all)).not.toContain('_key');
  const soon = await listCertificates(context, { limit: 10, within_days: 10 });
  expect(soon.map(({ names }) => names)).toEqual([['jobs.acme.com']]);
});

test('an order that is under way is shown', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  under.acme.first.processing_looks = 1000;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect(await showCertificate(under.world.context, HOST)).toMatchObject({
    domain: { id, status: 'issuing' },
    certificate: null,
    order: { ca: 'first', names: [HOST], failures: 0, next_step: 'look' },
  });
});

test('a certificate is replaced at once by an operator, in the audit log', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const before = await showCertificate(context, id);
  await reissueCertificate(context, 'ada', HOST);
  await under.pass(MINUTE_MS);
  const after = await showCertificate(context, HOST);
  expect(after.certificate?.serial).not.toBe(before.certificate?.serial);
  expect(after.order).toBeNull();
  const audit = await context.store.db.selectFrom('audit_log').selectAll().execute();
  expect(audit).toMatchObject([{ actor: 'ada', action: 'certificate.reissue', subject: HOST }]);
});

test('nothing is reissued for a domain that gets none', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  await expect(reissueCertificate(context, 'ada', HOST)).rejects.toMatchObject({ code: 'not_found' });
  const id = await under.world.addDomain(under.caller, HOST);
  await expect(reissueCertificate(context, 'ada', id)).rejects.toMatchObject({ code: 'validation_failed' });
});
