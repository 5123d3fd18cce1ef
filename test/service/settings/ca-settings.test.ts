import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { problemsOf } from './config-problems.ts';

test('the setting of certificate authorities accepts known names, in order, and allows each in CAA records', () => {
  const config = readConfig({
    NAMEPLATE_CAS: 'letsencrypt, letsencrypt-staging',
    NAMEPLATE_CA_CONTACT: 'ops@example.net',
  });
  expect(config.certificateAuthorities).toMatchObject([
    {
      name: 'letsencrypt',
      caa_issuers: ['letsencrypt.org'],
      contacts: ['mailto:ops@example.net'],
      eab: null,
      profile: null,
      limits: { certificates: { limit: 5, window_ms: 7 * 24 * 3_600_000 } },
    },
    { name: 'letsencrypt-staging', limits: { certificates: null } },
  ]);
  expect(config.settings.caaIssuers).toEqual(['letsencrypt.org']);
});

test('the setting of certificate authorities reads authorities with accounts, and private ones, from a file', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'cas-')), 'cas.json');
  const eab = { key_id: 'kid', mac_key: 'c2VjcmV0' };
  const own = {
    name: 'internal',
    directory_url: 'https://ca.internal/directory',
    caa_issuers: ['CA.internal'],
  };
  const certificates = { limit: 7, window_ms: 86_400_000 };
  writeFileSync(
    file,
    JSON.stringify([
      { name: 'google', eab },
      { ...own, certificates },
    ]),
  );
  const { certificateAuthorities, settings } = readConfig({ NAMEPLATE_CAS: file });
  expect(certificateAuthorities).toMatchObject([
    { name: 'google', eab },
    { ...own, caa_issuers: ['ca.internal'], limits: { certificates } },
  ]);
  expect(settings.caaIssuers).toEqual(['pki.goog', 'ca.internal']);
  writeFileSync(file, JSON.stringify([{ name: 'internal' }]));
  expect(problemsOf({ NAMEPLATE_CAS: file })).toEqual({
    NAMEPLATE_CAS: expect.stringMatching(/^has internal, /),
  });
});

test.each([
  ['[{"name":"letsencrypt"', 'names a file that is not JSON: check its quotes, commas and brackets'],
  ['{}', 'it must be a list of certificate authorities, such as [{ "name": "letsencrypt" }]'],
  ['[]', 'it must be a list of certificate authorities, such as [{ "name": "letsencrypt" }]'],
  ['[{"name":"letsencrypt"},"google"]', '[1] must be a JSON object'],
  ['[{"name":"letsencrypt"},{}]', '[1].name is required'],
  ['[{"name":"Let\'s Encrypt"}]', '[0].name must be at most 32 lowercase letters, digits and hyphens'],
  ['[{"name":"a","directory_url":"http://ca.internal"}]', '[0].directory_url must be an https URL'],
  ['[{"name":"a","caa_issuers":"ca.internal"}]', '[0].caa_issuers must be a list'],
  ['[{"name":"a","caa_issuers":[]}]', '[0].caa_issuers must name at least one issuer'],
  ['[{"name":"a","caa_issuers":["a b"]}]', '[0].caa_issuers[0] must be a DNS name, such as ca.example.net'],
  ['[{"name":"google","eab":{"mac_key":"YQ"}}]', '[0].eab.key_id is required'],
  ['[{"name":"google","eab":{"key_id":"","mac_key":"YQ"}}]', '[0].eab.key_id must not be empty'],
  ['[{"name":"google","eab":{"key_id":"a","mac_key":"+"}}]', '[0].eab.mac_key must be base64url'],
  ['[{"name":"a","orders":{"limit":0.5,"window_ms":1000}}]', '[0].orders.limit must be a whole number'],
  ['[{"name":"a","orders":{"limit":1,"window_ms":1}}]', '[0].orders.window_ms must be at least 1000'],
  ['[{"name":"letsencrypt","secret":1}]', '[0] must not have secret'],
])('the service reports what is wrong in a file of certificate authorities: %s', (content, problem) => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'cas-')), 'cas.json');
  writeFileSync(file, content);
  const prefix = problem.startsWith('names') ? '' : 'names a file with an error: ';
  expect(problemsOf({ NAMEPLATE_CAS: file })).toEqual({ NAMEPLATE_CAS: prefix + problem });
});
