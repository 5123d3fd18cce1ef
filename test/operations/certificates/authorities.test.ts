import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { acmeAccount, checkAccount } from '../../../shared/operations/certificates/acme-account.ts';
import { findAcmeAccount, setAccountUrl } from '../../../shared/store/certificates/acme-accounts.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const OUTAGE = { status: 503, type: '', detail: '' };
const REFUSED = { type: 'unauthorized', detail: 'Invalid response from http://careers.acme.com: 404' };

describe('a certificate authority that is unavailable', () => {
  test("is replaced by the next authority, with an account that is bound to the operator's", async () => {
    await using under = await certificateWorld();
    under.acme.first.fail('newOrder', OUTAGE, 10);
    const id = await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'Second CA' } });
  });

  test.each(['directory', 'newAccount', 'order', 'authz', 'challenge', 'finalize', 'certificate'])(
    'midway, at %s, is replaced within minutes',
    async (resource) => {
      await using under = await certificateWorld();
      under.acme.first.fail(resource, OUTAGE, 1000);
      const id = await under.addIssuing(HOST);
      await under.pass(5 * MINUTE_MS);
      expect(await under.domain(id)).toMatchObject({
        status: 'active',
        certificate: { issuer: 'Second CA' },
      });
    },
  );

  test('for a moment keeps its order', async () => {
    await using under = await certificateWorld();
    under.acme.first.fail('finalize', { ...OUTAGE, status: 0 }, 2);
    const id = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'First CA' } });
    expect(under.acme.first.count('newOrder')).toBe(1);
  });

  test('gets no request for a short time, even for the next hostname', async () => {
    await using under = await certificateWorld();
    under.acme.first.fail('newOrder', OUTAGE, 10);
    await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    await under.addIssuing('jobs.acme.com');
    await under.pass(5 * SECOND_MS);
    expect(under.acme.first.count('newOrder')).toBe(1);
    expect(under.acme.second.count('newOrder')).toBe(2);
  });

  test('without an alternative is tried after 1, 10 and 100 minutes, then daily, with cert_failed after the third failure', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.fail('newOrder', OUTAGE, 5);
    const id = await under.addIssuing(HOST);
    const orders = () => under.acme.first.count('newOrder');
    await under.pass(SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'issuing', status_reason: 'ca_unavailable' });
    expect(orders()).toBe(1);
    await under.pass(2 * MINUTE_MS);
    expect(orders()).toBe(2);
    await under.pass(12 * MINUTE_MS);
    expect(orders()).toBe(3);
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_unavailable' });
    await under.pass(2 * HOUR_MS);
    expect(orders()).toBe(4);
    await under.pass(27 * HOUR_MS);
    expect(orders()).toBe(5);
    await under.pass(27 * HOUR_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', status_reason: null });
    expect(under.events.slice(1)).toEqual(['domain.verified', 'domain.cert_failed', 'domain.active']);
  });
});

describe('CAA records of a live domain are respected', () => {
  test('select the certificate authority', async () => {
    await using under = await certificateWorld();
    under.caa.set('acme.com', '0 issue "second.example"');
    const id = await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    expect((await under.domain(id)).certificate?.issuer).toBe('Second CA');
    expect(under.acme.first.count('newOrder')).toBe(0);
  });

  test('select the challenge method (RFC 8657)', async () => {
    await using under = await certificateWorld();
    under.caa.set('acme.com', '0 issue "first.example; validationmethods=tls-alpn-01"');
    const looked: string[] = [];
    under.acme.first.validate = ({ type }) => {
      looked.push(type);
      return null;
    };
    await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    expect(looked).toEqual(['tls-alpn-01']);
  });

  test('forbid the order if they name another account', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.caa.set(HOST, '0 issue "first.example; accounturi=https://first.example/acct/1"');
    const id = await under.addIssuing(HOST);
    await under.pass(15 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'caa_forbids' });
    const { account_url } =
      (await findAcmeAccount(under.world.context.store, under.acme.first.directory_url)) ?? {};
    under.caa.set(HOST, `0 issue "first.example; accounturi=${account_url}"`);
    await under.verify(id);
    await under.pass(5 * SECOND_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('are reported if they forbid every authority, and looked up again by a verify', async () => {
    await using under = await certificateWorld();
    under.caa.set('acme.com', '0 issue "other.example"');
    const id = await under.addIssuing(HOST);
    await under.pass(15 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({
      status: 'cert_failed',
      status_reason: 'caa_forbids',
      status_detail: { expected: '0 issue "first.example"', found: '0 issue "other.example"' },
    });
    expect(under.acme.first.count('newOrder') + under.acme.second.count('newOrder')).toBe(0);
    under.caa.delete('acme.com');
    await under.verify(id);
    expect((await under.domain(id)).status).toBe('issuing');
    await under.pass(5 * SECOND_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('are treated as a refusal if they cannot be read', async () => {
    await using under = await certificateWorld();
    under.caa.set(HOST, 'servfail');
    const id = await under.addIssuing(HOST);
    await under.pass(15 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({
      status: 'cert_failed',
      status_reason: 'caa_lookup_failed',
    });
  });

  test('are reported if only the authority reads them as a refusal, and no other authority is tried', async () => {
    await using under = await certificateWorld();
    under.acme.first.validate = () => ({ type: 'caa', detail: 'CAA record for acme.com prevents issuance' });
    const id = await under.addIssuing(HOST);
    await under.pass(15 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'caa_forbids' });
    expect(under.acme.second.count('newOrder')).toBe(0);
  });
});

test('after a failed challenge, the worker tries each method in turn at the same authority, and then reports the failure', async () => {
  await using under = await certificateWorld();
  const looked: string[] = [];
  under.acme.first.validate = ({ type }) => {
    looked.push(type);
    return REFUSED;
  };
  const id = await under.addIssuing(HOST);
  await under.pass(15 * MINUTE_MS);
  expect(looked).toEqual(['http-01', 'tls-alpn-01', 'http-01']);
  expect(await under.domain(id)).toMatchObject({
    status: 'cert_failed',
    status_reason: 'ca_challenge_failed',
    status_detail: { found: REFUSED.detail },
  });
  expect(under.acme.second.count('newOrder')).toBe(0);
});

test('if an authority refuses a name by policy, the worker tries the next authority', async () => {
  await using under = await certificateWorld();
  under.acme.first.fail('newOrder', { status: 400, type: 'rejectedIdentifier', detail: 'on a list' });
  const id = await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  expect((await under.domain(id)).certificate?.issuer).toBe('Second CA');
});

test('the worker creates a new account with the same key if the authority has lost the old one', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  await under.addIssuing(HOST);
  await under.pass(5 * SECOND_MS);
  under.acme.first.accounts.forget();
  const id = await under.addIssuing('jobs.acme.com');
  await under.pass(3 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
});

test('the worker creates only one account per attempt if the authority repeatedly loses accounts', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { first } = under.acme;
  first.fail('newOrder', { status: 400, type: 'accountDoesNotExist', detail: 'unknown account' }, 100);
  const id = await under.addIssuing(HOST);
  await under.pass(SECOND_MS);
  expect([first.count('newAccount'), first.count('newOrder')]).toEqual([1, 1]);
  await under.pass(15 * MINUTE_MS);
  expect([first.count('newAccount'), first.count('newOrder')]).toEqual([3, 3]);
  expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_refused' });
});

test('the worker keeps an account that another worker has just created', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { context } = under.world;
  const [authority] = under.authorities;
  if (!authority) throw new Error('no authority');
  const made = await acmeAccount(context, authority);
  if (!made.ok) throw new Error('no account');
  await setAccountUrl(autocommit(context.store), authority.ca.directory_url, `${made.account.account_url}-2`);
  const lost = { status: 400, type: 'accountDoesNotExist', detail: '', retryAt: null, subproblems: [] };
  await checkAccount(context, authority, made.account, lost);
  expect(await acmeAccount(context, authority)).toMatchObject({
    account: { account_url: `${made.account.account_url}-2` },
  });
});
