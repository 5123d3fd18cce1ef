import { expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { problemsOf } from './config-problems.ts';

const OIDC = {
  NAMEPLATE_OIDC_ISSUER: 'https://id.example.com/realms/acme/',
  NAMEPLATE_OIDC_CLIENT_ID: 'nameplate',
  NAMEPLATE_OIDC_CLIENT_SECRET: 's3cret',
  NAMEPLATE_OIDC_DOMAINS: 'Example.com, bücher.example',
};

test('four settings configure the identity provider, and the issuer is used exactly as written', () => {
  expect(readConfig(OIDC).oidc).toEqual({
    issuer: 'https://id.example.com/realms/acme/',
    clientId: 'nameplate',
    clientSecret: 's3cret',
    mailDomains: ['example.com', 'xn--bcher-kva.example'],
    name: 'id.example.com',
  });
  expect(readConfig({ ...OIDC, NAMEPLATE_OIDC_NAME: 'Okta' }).oidc?.name).toBe('Okta');
  expect(readConfig({}).oidc).toBeNull();
});

test.each(Object.keys(OIDC))('the identity provider needs %s', (name) => {
  const problems = problemsOf({ ...OIDC, [name]: '' });
  expect(Object.keys(problems)).toEqual(['NAMEPLATE_OIDC_ISSUER']);
  expect(problems['NAMEPLATE_OIDC_ISSUER']).toContain('belong together');
});

test.each([
  'id.example.com',
  'ftp://id.example.com',
  'https://ada@id.example.com',
  'https://id.example.com?a=b',
  'https://id.example.com/#a',
  'http://id.example.com',
  'http://192.0.2.1',
  'http://localhost.example.com',
])('the setting of the identity provider refuses the issuer %s', (issuer) => {
  const problems = problemsOf({ ...OIDC, NAMEPLATE_OIDC_ISSUER: issuer });
  expect(Object.keys(problems)).toEqual(['NAMEPLATE_OIDC_ISSUER']);
});

test('an issuer over plain HTTP is allowed only for a trial on one machine', () => {
  const trial = { ...OIDC, NAMEPLATE_OIDC_ISSUER: 'http://127.0.0.1:3000' };
  expect(problemsOf(trial)).toEqual({});
  expect(problemsOf({ ...trial, NAMEPLATE_BASE_URL: 'http://localhost:4500' })).toEqual({});
  const onPublic = problemsOf({ ...trial, NAMEPLATE_BASE_URL: 'https://api.example.net' });
  expect(onPublic['NAMEPLATE_OIDC_ISSUER']).toContain('must be an https address');
});

test("the problems of the identity provider's settings never contain the client secret", () => {
  const problems = problemsOf({ ...OIDC, NAMEPLATE_OIDC_ISSUER: 'x', NAMEPLATE_OIDC_DOMAINS: 'a b' });
  expect(JSON.stringify(problems)).not.toContain('s3cret');
});
