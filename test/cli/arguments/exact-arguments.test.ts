import { expect, test } from 'vitest';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const DOMAIN = domainOf({ hostname: 'tmp1.acme.com' });

/** Arguments that a URL parser would reduce to `tmp1.acme.com`, or that would change the path of a request. */
const INEXACT = [
  'tmp1.acme.com/../../careers.acme.com?x=1',
  'tmp1.acme.com/',
  'tmp1.acme.com#careers.acme.com',
  'tmp1.acme.com?x',
  'tmp1.acme.com\\careers',
  'tmp1%2eacme.com',
  'tmp1.acme\t.com',
  'tmp1.acme.com\n',
  ' tmp1.acme.com',
  'https://tmp1.acme.com',
  'user@tmp1.acme.com',
  'tmp1.acme.com:443',
  '*.acme.com',
  `${DOMAIN.id}/../dom_02`,
  `${DOMAIN.id}?x`,
  'tmp1',
  '',
];

const COMMANDS = [
  ['domains', 'get'],
  ['domains', 'update', '--metadata', 'a=b'],
  ['domains', 'verify'],
  ['domains', 'open'],
  ['domains', 'wait', '--for', 'active'],
  ['domains', 'remove', '--yes'],
  ['domains', 'diagnose'],
  ['events', 'list', '--domain'],
  ['events', 'tail', '--domain'],
];

test.each(COMMANDS)(
  'the command %s %s refuses an argument that is not exactly a hostname or an id',
  async (...argv) => {
    await using api = await startFakeApi({
      'GET /v1/domains': page(DOMAIN),
      'GET /v1/events': page(),
      [`GET /v1/domains/${DOMAIN.id}`]: { body: DOMAIN },
      [`PATCH /v1/domains/${DOMAIN.id}`]: { body: DOMAIN },
      [`DELETE /v1/domains/${DOMAIN.id}`]: { status: 204 },
    });
    for (const argument of INEXACT) {
      const { exit, stderr } = await runCli([...argv, argument], { env: keyFor(api.url) });
      expect({ argument, exit, requests: api.requests }).toEqual({ argument, exit: 2, requests: [] });
      expect(stderr).toMatch(/neither a\s+hostname nor a\s+domain\s+id/);
    }
  },
);
