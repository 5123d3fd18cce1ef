import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import {
  challengeCertificate,
  challengeDigest,
  keyAuthorization,
} from '../../../shared/core/certificates/acme-challenge.ts';
import {
  externalAccountBinding,
  keyThumbprint,
  signJws,
} from '../../../shared/core/certificates/acme-jws.ts';
import { readIssued } from '../../../shared/core/certificates/certificate-chain.ts';
import {
  certificateRequest,
  der,
  readDer,
  signCertificate,
  subjectAltName,
  toPem,
} from '../../../shared/core/certificates/x509.ts';
import { T0 } from '../domains/sample-domain.ts';

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const openssl = (input: string, ...args: string[]) =>
  execFileSync('openssl', args, { input, encoding: 'utf8' });

test('openssl reads and verifies our certificate request', () => {
  const names = ['acme.com', 'www.acme.com', `${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`];
  const request = toPem('CERTIFICATE REQUEST', certificateRequest(newKey(), names));
  const text = openssl(request, 'req', '-noout', '-text', '-verify');
  expect(text).toContain(names.map((name) => `DNS:${name}`).join(', '));
  expect(text).toContain('ecdsa-with-SHA256');
});

describe('the certificate of a TLS-ALPN-01 challenge proves control of one name', () => {
  const key = newKey();
  const authorization = keyAuthorization('token', key);
  const pem = challengeCertificate('careers.acme.com', authorization, key, T0);

  it('covers one name and is signed by its own key', () => {
    const certificate = new X509Certificate(pem);
    expect(certificate.subjectAltName).toBe('DNS:careers.acme.com');
    expect(certificate.verify(createPublicKey(key))).toBe(true);
    expect(certificate.validFromDate.getTime()).toBeLessThan(T0);
  });

  it('has the digest in a critical extension (RFC 8737 section 3)', () => {
    const text = openssl(pem, 'x509', '-noout', '-text');
    expect(text).toMatch(/1\.3\.6\.1\.5\.5\.7\.1\.31: critical/);
    const digest = Buffer.from(challengeDigest(authorization)).toString('hex');
    expect(new X509Certificate(pem).raw.toString('hex')).toContain(`0420${digest}`);
  });
});

test.each([
  [0x00, '020100'],
  [0x7f, '02017f'],
  [0x80, '02020080'],
])('the DER encoder writes the integer %i as %s', (value, hex) => {
  expect(Buffer.from(der.integer(Uint8Array.of(0, value))).toString('hex')).toBe(hex);
});

test.each([
  ['2049-12-31T23:59:59.999Z', '170d3439313233313233353935395a'],
  ['2050-01-01T00:00:00Z', '180f32303530303130313030303030305a'],
])('the DER encoder writes the time %s as RFC 5280 section 4.1.2.5 requires', (time, hex) => {
  expect(Buffer.from(der.time(Date.parse(time))).toString('hex')).toBe(hex);
});

test('the DER parser reads lengths of every size that the encoder writes', () => {
  for (const length of [0, 127, 128, 255, 256, 70_000]) {
    expect(readDer(der.octets(new Uint8Array(length)))).toMatchObject([{ tag: 4, content: { length } }]);
  }
});

test.each(['30', '3005', '308600000000000000', '04830000'])('the DER parser rejects %s', (hex) => {
  expect(() => readDer(Buffer.from(hex, 'hex'))).toThrow(RangeError);
});

describe('an issued certificate is parsed and checked', () => {
  const key = newKey();
  const names = ['acme.com', 'www.acme.com'];
  const chain = (extension?: { oid: string; value: Uint8Array }) =>
    toPem(
      'CERTIFICATE',
      signCertificate({
        public_key: createPublicKey(key),
        subject: 'acme.com',
        issuer: 'Some CA',
        issuer_key: key,
        serial: Uint8Array.of(0x00, 0x87, 0x65, 0x43, 0x21),
        not_before: T0,
        not_after: T0 + 1000 * 3600,
        extensions: [subjectAltName(names), ...(extension ? [extension] : [])],
      }),
    );

  it('is parsed with its issuer, names and dates', () => {
    expect(readIssued(chain(), { private_key: key, names })).toMatchObject({
      serial: '87654321',
      issuer: 'Some CA',
      names,
      not_before: T0,
      not_after: T0 + 1000 * 3600,
      ari_id: null,
    });
  });

  it('has the ARI identifier of the example in RFC 9773 section 4.1', () => {
    const keyId = Buffer.from('69885B6B87464041E1B37B847BA0AE2CDE01C8D4'.toLowerCase(), 'hex');
    const authority = { oid: '2.5.29.35', value: der.sequence(der.implicit(0, keyId)) };
    expect(readIssued(chain(authority), { private_key: key, names }).ari_id).toBe(
      'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE',
    );
  });

  it('is refused if it has another key, lacks a name, or is no certificate', () => {
    expect(() => readIssued(chain(), { private_key: newKey(), names })).toThrow('a different key');
    const more = { private_key: key, names: [...names, 'jobs.acme.com'] };
    expect(() => readIssued(chain(), more)).toThrow('jobs.acme.com');
    expect(() => readIssued('-----BEGIN', more)).toThrow('no certificate');
  });
});

describe('a signed ACME request proves its account', () => {
  const privateKey = newKey();
  const request = { url: 'https://ca.example/order', nonce: 'n', payload: { a: 1 } };
  const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());

  it('has a valid signature, and names the account', () => {
    const jws = signJws({ private_key: privateKey, account_url: 'https://ca.example/acct/1' }, request);
    expect(decode(jws.protected)).toEqual({
      alg: 'ES256',
      kid: 'https://ca.example/acct/1',
      nonce: 'n',
      url: request.url,
    });
    const signature = Buffer.from(jws.signature, 'base64url');
    const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${jws.protected}.${jws.payload}`), key, signature)).toBe(true);
  });

  it('contains the key if there is no account yet, and has no payload for a POST-as-GET', () => {
    const jws = signJws({ private_key: privateKey, account_url: null }, { ...request, payload: null });
    expect(decode(jws.protected).jwk).toMatchObject({ kty: 'EC', crv: 'P-256' });
    expect(decode(jws.protected).jwk.d).toBeUndefined();
    expect(jws.payload).toBe('');
  });

  it("binds the key to the operator's account at an authority that requires an external account", () => {
    const eab = externalAccountBinding(privateKey, { key_id: 'kid', mac_key: 'c2VjcmV0' }, request.url);
    expect(decode(eab.protected)).toEqual({ alg: 'HS256', kid: 'kid', url: request.url });
    expect(decode(eab.payload)).toMatchObject({ kty: 'EC' });
  });

  it('uses the thumbprint that RFC 7638 defines', () => {
    const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
    const members = JSON.stringify({ crv, kty, x, y });
    expect(keyThumbprint(privateKey)).toBe(createHash('sha256').update(members).digest('base64url'));
  });
});
