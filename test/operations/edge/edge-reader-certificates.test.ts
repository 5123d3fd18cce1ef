import { X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { edgeKey, httpChallengeKey, tlsChallengeKey } from '../../../shared/core/edge/edge-value.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { APEX, edgeOfValues, HOST, WWW } from './edge-of-values.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const TOKEN = 'a'.repeat(43);

describe('the edge finds the certificate of a hostname in its values', () => {
  it('returns the whole chain with the private key', async () => {
    const under = edgeOfValues();
    under.setHost(HOST);
    const { serial, private_key } = under.certify(ca, HOST);
    const served = await under.certificates.findCertificate(HOST);
    expect(served).toMatchObject({ serial, private_key });
    const leaf = new X509Certificate(served?.chain ?? '');
    expect(leaf.checkHost(HOST)).toBe(HOST);
    expect(served?.chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(served?.chain.trimEnd().endsWith(ca.certificate.trimEnd())).toBe(true);
  });

  it("serves the apex's certificate to `www` only if the certificate has that name", async () => {
    const under = edgeOfValues();
    under.setHost(APEX, { redirects_www: true });
    const { serial } = under.certify(ca, APEX, [APEX, WWW]);
    expect(await under.certificates.findCertificate(WWW)).toMatchObject({ serial });
    under.certify(ca, APEX, [APEX]);
    expect(await under.certificates.findCertificate(WWW)).toBeNull();
  });

  it('serves no certificate that has ended, and none to an unknown hostname, with at most two lookups', async () => {
    const under = edgeOfValues();
    under.setHost(HOST);
    under.certify(ca, HOST);
    under.clock.at += 1_000;
    expect(await under.certificates.findCertificate(HOST)).toBeNull();
    for (const name of ['unknown.acme.com', 'www.unknown.com', APEX]) {
      const before = under.lookups();
      expect(await under.certificates.findCertificate(name)).toBeNull();
      expect(under.lookups() - before).toBeLessThanOrEqual(2);
    }
  });

  it('fails, rather than serve half a chain, if a value of the certificate is missing or cannot be opened', async () => {
    const under = edgeOfValues();
    under.setHost(HOST);
    const { issuers } = under.certify(ca, HOST);
    for (const broken of [null, 'unreadable'] as const) {
      under.set(edgeKey('chain', issuers), broken);
      await expect(under.certificates.findCertificate(HOST)).rejects.toThrow('issuers cannot be read');
    }
    under.setHost(HOST, 'unreadable');
    await expect(under.certificates.findCertificate(HOST)).rejects.toThrow('cannot be read');
  });
});

describe('the edge answers the challenges of authorities from its values', () => {
  it('sends the response to an open token at its host, and to no other token or host', async () => {
    const under = edgeOfValues();
    const { findKeyAuthorization } = under.challenges;
    under.set(httpChallengeKey(HOST, TOKEN), { key_authorization: 'response' });
    expect(await findKeyAuthorization(HOST, TOKEN)).toBe('response');
    for (const [name, token] of [
      [HOST, 'b'.repeat(43)],
      [APEX, TOKEN],
      [`x.${HOST}`, TOKEN],
    ] as const)
      expect(await findKeyAuthorization(name, token)).toBeNull();
    under.set(httpChallengeKey(HOST, TOKEN), 'unreadable');
    expect(await findKeyAuthorization(HOST, TOKEN)).toBeNull();
    under.set(httpChallengeKey(HOST, TOKEN), null);
    expect(await findKeyAuthorization(HOST, TOKEN)).toBeNull();
  });

  it('presents a TLS-ALPN-01 certificate for a hostname with such a challenge, and for no other hostname', async () => {
    const under = edgeOfValues();
    const { findChallengeCertificate } = under.challenges;
    under.set(tlsChallengeKey(HOST), { key_authorization: 'response' });
    under.set(httpChallengeKey(APEX, TOKEN), { key_authorization: 'response' });
    const found = await findChallengeCertificate(HOST);
    expect(new X509Certificate(found?.chain ?? '').checkHost(HOST)).toBe(HOST);
    expect(found?.private_key).toMatch(/PRIVATE KEY/);
    for (const name of [APEX, 'unknown.acme.com']) expect(await findChallengeCertificate(name)).toBeNull();
  });

  it('the edge finds the texts of a label in its value, and none if the value is missing or cannot be opened', () => {
    const { findDnsTexts, set } = edgeOfValues();
    const key = edgeKey('dns', 'a'.repeat(32));
    expect(findDnsTexts('a'.repeat(32))).toEqual([]);
    set(key, { texts: ['one', 'two'] });
    expect(findDnsTexts('a'.repeat(32))).toEqual(['one', 'two']);
    expect(findDnsTexts('b'.repeat(32))).toEqual([]);
    set(key, 'unreadable');
    expect(findDnsTexts('a'.repeat(32))).toEqual([]);
  });

  it('needs one lookup for each of thousands of made-up tokens and names, without a list of all challenges', async () => {
    const under = edgeOfValues();
    const { findKeyAuthorization, findChallengeCertificate } = under.challenges;
    for (let n = 0; n < 1_000; n++)
      under.set(httpChallengeKey(HOST, `${n}`), { key_authorization: `${n}.key` });
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => findKeyAuthorization(HOST, `${n}`)),
    );
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, n) => `${n}.key`));
    const before = under.lookups();
    for (let n = 0; n < 1_000; n++) {
      expect(await findKeyAuthorization(HOST, `made-up-${n}`)).toBeNull();
      expect(await findKeyAuthorization(`made-up-${n}.acme.com`, TOKEN)).toBeNull();
      expect(await findChallengeCertificate(`made-up-${n}.acme.com`)).toBeNull();
    }
    expect(under.lookups() - before).toBe(3_000);
  });
});
