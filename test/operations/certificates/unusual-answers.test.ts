import { describe, expect, test } from 'vitest';
import { certificateDocument } from '../../../service/commands/operator/certificate-view.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { type CertificateState, showCertificates } from '../../../shared/operations/operator/certificates.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

describe('an order at a slow certificate authority is not given up at once', () => {
  test.each([
    ['finalize', { status: 403, type: 'orderNotReady', detail: "Order's status is pending" }],
    ['challenge', { status: 400, type: 'malformed', detail: 'authorization must be pending' }],
    ['certificate', { status: 404, type: 'malformed', detail: 'certificate not found' }],
    ['order', { status: 404, type: 'malformed', detail: 'order not found' }],
    ['authz', { status: 404, type: 'malformed', detail: 'authorization not found' }],
  ])('is read again after a refusal at %s, and not placed again', async (resource, failure) => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.fail(resource, failure, 4);
    const id = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(under.acme.first.count('newOrder')).toBe(1);
  });

  test('is polled for ten minutes while the authority says that the order is not ready to be finalized', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const refusal = { status: 403, type: 'orderNotReady', detail: '' };
    under.acme.first.fail('finalize', refusal, 1000);
    const id = await under.addIssuing(HOST);
    await under.pass(5 * MINUTE_MS);
    expect(under.acme.first.count('newOrder')).toBe(1);
    under.acme.first.recover();
    await under.pass(2 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(under.acme.first.count('newOrder')).toBe(1);
  });

  test.each([
    [['first'], 2 * HOUR_MS],
    [['first'], 3 * DAY_MS],
    [['first', 'second'], 2 * HOUR_MS],
  ] as const)('is followed while it is processing, at %j for %d ms', async (authorities, durationMs) => {
    await using under = await certificateWorld({ authorities: [...authorities] });
    const { first } = under.acme;
    under.caa.set('acme.com', '0 issue "first.example"');
    first.processingLooks = Number.POSITIVE_INFINITY;
    const id = await under.addIssuing(HOST);
    await under.pass(durationMs);
    expect(await under.domain(id)).toMatchObject({
      status: 'issuing',
      status_reason: 'ca_unavailable',
      status_detail: { found: 'the authority still works on the order' },
    });
    first.processingLooks = 0;
    await under.pass(HOUR_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', status_reason: null });
    expect([first.count('newOrder'), first.count('finalize')]).toEqual([1, 1]);
    expect(first.count('order')).toBeLessThan(200);
  });

  test('is replaced by an order at another authority after ten minutes, if another one accepts the order', async () => {
    await using under = await certificateWorld();
    under.acme.first.processingLooks = Number.POSITIVE_INFINITY;
    const id = await under.addIssuing(HOST);
    await under.pass(15 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'Second CA' } });
  });

  test('for a renewal is followed until the certificate is about to expire, and then reported', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const id = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    under.acme.first.processingLooks = Number.POSITIVE_INFINITY;
    await under.pass(79 * DAY_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active' });
    expect(under.acme.first.count('newOrder')).toBe(2);
    await under.pass(2 * DAY_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_unavailable' });
  });
});

/** CA responses in which fields that the current step does not need are missing, null or empty. */
const SPARSE: Record<string, (resource: string, body: Record<string, unknown>) => object> = {
  'empty `certificate` and `error`': (resource, body) =>
    resource === 'order' ? { certificate: '', error: null, ...body } : body,
  '`authorizations: null` once they are valid': (resource, body) =>
    resource === 'order' && body['status'] !== 'pending' ? { ...body, authorizations: null } : body,
  'no `finalize` in a valid order': (resource, body) =>
    resource === 'order' && body['status'] === 'valid' ? { ...body, finalize: undefined } : body,
  'nothing in the response to a new order and to finalize': (resource, body) =>
    resource === 'newOrder' || resource === 'finalize' ? {} : body,
  'null beside each challenge, and challenges of other types': (resource, body) =>
    resource === 'authz'
      ? {
          ...body,
          challenges: [
            { type: 'new-01', url: '', status: 'unknown', token: null },
            ...(body['challenges'] as object[]).map((each) => ({ error: null, validated: null, ...each })),
          ],
        }
      : body,
  'null for all that a directory may lack': (resource, body) =>
    resource === 'directory' ? { ...body, revokeCert: null, renewalInfo: '', meta: null } : body,
};

test.each(Object.keys(SPARSE))(
  'the worker gets a certificate from an authority that sends %s',
  async (title) => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.processingLooks = 2;
    under.acme.first.rewrite = (resource, body) => SPARSE[title]?.(resource, { ...body }) ?? body;
    const id = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(under.acme.first.count('newOrder')).toBe(1);
  },
);

test('the worker waits for the URL of the certificate if a valid order does not have it yet', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  let looks = 0;
  under.acme.first.processingLooks = 2;
  under.acme.first.rewrite = (resource, body) =>
    resource === 'order' && 'certificate' in body && looks++ < 3 ? { ...body, certificate: null } : body;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('newOrder')).toBe(1);
});

describe('an account at a certificate authority is replaced if it is unusable', () => {
  test('is replaced by an account with a new key if it was deactivated', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const { first } = under.acme;
    await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    first.accounts.deactivate();
    const id = await under.addIssuing('jobs.acme.com');
    await under.pass(3 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(first.count('newAccount')).toBe(2);
  });

  test('is replaced as well if it was deactivated before its URL was stored', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const { first } = under.acme;
    await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    first.accounts.deactivate();
    first.fail('newOrder', { status: 400, type: 'accountDoesNotExist', detail: 'no such account' });
    const id = await under.addIssuing('jobs.acme.com');
    await under.pass(15 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('is kept if the account is valid and only this request is unauthorized', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const { first } = under.acme;
    first.fail('newOrder', { status: 403, type: 'unauthorized', detail: 'not for this account' });
    const id = await under.addIssuing(HOST);
    await under.pass(3 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(first.count('newAccount')).toBe(1);
  });
});

const LINK = 'https://portal.ca.example/unpause?jwt=a.b.c';
const PAUSED = `Your account is temporarily prevented from requesting certificates for ${HOST}. Please visit: ${LINK}`;

test.each([
  ['a paused hostname', { status: 429, type: 'rateLimited', detail: PAUSED }],
  ['new terms', { status: 403, type: 'userActionRequired', detail: `Agree to the terms: ${LINK}` }],
])(
  'the failure of a certificate asks the operator, and not the customer, to act on %s',
  async (_, failure) => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.fail('newOrder', failure, 1000);
    const id = await under.addIssuing(HOST);
    await under.pass(15 * MINUTE_MS);
    const domain = await under.domain(id);
    expect(domain).toMatchObject({ status: 'cert_failed', status_reason: 'ca_refused' });
    expect(domain.status_detail?.hint).not.toContain('No action needed');
    expect(JSON.stringify(domain)).not.toContain(LINK);
    const [state] = await showCertificates(under.world.context, HOST);
    expect(certificateDocument(state as CertificateState).order).toMatchObject({
      problem: 'ca_refused',
      found: failure.detail,
    });
  },
);

test('the failure of a certificate quotes an authority that refuses the form of a hostname', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const detail = 'Domain name has more than 10 labels (parts)';
  under.acme.first.fail('newOrder', { status: 400, type: 'malformed', detail }, 1000);
  const id = await under.addIssuing(HOST);
  await under.pass(15 * MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({
    status: 'cert_failed',
    status_reason: 'ca_rejected',
    status_detail: { found: detail, hint: expect.stringContaining(detail) },
  });
});

test("the operator's view quotes the authority's rate limit while the limit lasts", async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const detail = 'too many certificates (50) already issued for "acme.com"';
  under.acme.first.fail('newOrder', { status: 429, type: 'rateLimited', detail, retryAfter: '7200' });
  await under.addIssuing(HOST);
  await under.pass(HOUR_MS);
  const [state] = await showCertificates(under.world.context, HOST);
  expect(state?.order?.problem).toMatchObject({ reason: 'ca_rate_limited', found: detail });
});
