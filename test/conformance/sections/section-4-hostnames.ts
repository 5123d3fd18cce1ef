import { expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { APP, CHANGED_DOMAIN } from '../resources.ts';

/** Tests which hostnames can be added, and how the service normalizes them (sections 2.2, 4.3 and 7). */
export const hostnames: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);

  const LABEL_63 = 'a'.repeat(63);
  /** The longest allowed hostname, with 253 characters. */
  const LONGEST = `${[LABEL_63, LABEL_63, LABEL_63, 'a'.repeat(57)].join('.')}.com`;

  const ACCEPTED: [string, string][] = [
    ['careers.acme.com', 'careers.acme.com'],
    ['Careers.ACME.Com', 'careers.acme.com'],
    ['careers.acme.com.', 'careers.acme.com'],
    ['bücher.example.com', 'xn--bcher-kva.example.com'],
    ['BÜCHER.example.com', 'xn--bcher-kva.example.com'],
    ['bu\u0308cher.example.com', 'xn--bcher-kva.example.com'],
    ['faß.de', 'xn--fa-hia.de'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['jobs。acme。com', 'jobs.acme.com'],
    ['ｊｏｂｓ.acme.com', 'jobs.acme.com'],
    ['xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
    ['1.2.acme.com', '1.2.acme.com'],
    ['a-b--c.acme.com', 'a-b--c.acme.com'],
    [LONGEST, LONGEST],
    [`${LABEL_63}.acme.com`, `${LABEL_63}.acme.com`],
  ];

  test.each(ACCEPTED)('4.3: %s is stored as %s', async (hostname, stored) => {
    expect((await addDomain(live(), hostname)).hostname).toBe(stored);
  });

  const INVALID = [
    '',
    ' ',
    '.',
    'localhost',
    '.acme.com',
    'a..acme.com',
    'careers.acme.com..',
    ' careers.acme.com',
    'careers.acme.com\n',
    'careers.acme.com\u0000',
    'care ers.acme.com',
    'https://careers.acme.com',
    'careers.acme.com/path',
    'careers.acme.com:443',
    'careers.acme.com?x',
    'careers.acme.com#x',
    'careers.acme.com\\x',
    'user@acme.com',
    '*.acme.com',
    'a.*.acme.com',
    '_dmarc.acme.com',
    'a_b.acme.com',
    '-a.acme.com',
    'a-.acme.com',
    'a%2ecom.acme.com',
    'a\r\nX-Evil: 1.acme.com',
    "a'; drop table domains;--.acme.com",
    '<script>.acme.com',
    'xn--.acme.com',
    'xn--zzzzzzzz9999.acme.com',
    'a\u200db.acme.com',
    'a\ud800.acme.com',
    'א1a.acme.com',
    '192.168.0.1',
    '8.8.8.8',
    '1.2.3',
    '0x7f.1',
    '2130706433',
    '0x7f000001',
    'acme.0x1',
    'acme.123',
    '[::1]',
    '::1',
    'fe80::1%eth0',
    `${'a'.repeat(64)}.acme.com`,
    `a${LONGEST}`,
    `a.${LONGEST}`,
    `${'ü'.repeat(60)}.acme.com`,
    `${'a.'.repeat(511)}a`,
  ];

  test.each(INVALID)('7: %j is invalid_hostname', async (hostname) => {
    const { message } = (await live().post('/v1/domains', { hostname })).refused('invalid_hostname');
    // The message contains the hostname without control characters and shortened, so that it cannot forge a log line or flood a log.
    expect(message).toMatch(/^[\x20-\x7e\p{L}\p{N}]{1,600}$/u);
  });

  test.each(['foo.local', 'shop.onion', 'a.invalid', '4.3.2.1.in-addr.arpa', 'x.home.arpa', 'a.b.cmo'])(
    '7: %s is invalid_hostname for a live key, and works with a test key',
    async (hostname) => {
      (await live().post('/v1/domains', { hostname })).refused('invalid_hostname');
      (await client(driver(), driver().test_key).post('/v1/domains', { hostname })).as(201, CHANGED_DOMAIN);
    },
  );

  test.each(['ab--cd.acme.com', `${'a.'.repeat(9)}acme.com`, LONGEST.replace('aa.', 'a.')])(
    '7: %s gets the warning certificate_unlikely from a live key only',
    async (hostname) => {
      const added = (await live().post('/v1/domains', { hostname })).as(201, CHANGED_DOMAIN);
      expect(added.warnings?.map(({ code }) => code)).toEqual(['certificate_unlikely']);
      expect(added.warnings?.[0]?.message).toContain('may get no certificate');
    },
  );

  test.each(['co.uk', 'com', 'github.io', 'CO.UK.', 'com.au', 'blogspot.com', 'xn--55qx5d.cn', '公司.cn'])(
    '7: %s is a public suffix',
    async (hostname) => {
      (await live().post('/v1/domains', { hostname })).refused('hostname_is_public_suffix');
    },
  );

  test("7: a hostname in one of the service's zones is refused with its own code", async () => {
    const { whitelabel_target } = (await live().get('/v1/apps/current')).as(200, APP);
    for (const hostname of [whitelabel_target, `a.${whitelabel_target}`, whitelabel_target.toUpperCase()]) {
      (await live().post('/v1/domains', { hostname })).refused('hostname_is_service');
    }
    const zone = whitelabel_target.split('.').slice(-2).join('.');
    await addDomain(live(), `not${zone}.acme.com`);
  });

  test('8: a hostname of up to 1024 characters is read, and a longer one is a field that is too long', async () => {
    (await live().post('/v1/domains', { hostname: 'a'.repeat(1024) })).refused('invalid_hostname');
    (await live().post('/v1/domains', { hostname: 'a'.repeat(1025) })).refused('validation_failed');
  });

  test.each([[null], [1], [true], [['careers.acme.com']], [{ hostname: 'careers.acme.com' }]])(
    '4.3: a hostname must be a string, not %j',
    async (hostname) => {
      expect((await live().post('/v1/domains', { hostname })).faults()).toEqual(['hostname']);
    },
  );

  test('4.3: a hostname is required', async () => {
    const { message } = (await live().post('/v1/domains', {})).refused('validation_failed');
    expect(message).toContain('hostname');
  });

  test('4.3: one hostname in several spellings is one domain', async () => {
    const { id } = await addDomain(live(), 'bücher.example.com');
    for (const hostname of ['BÜCHER.EXAMPLE.COM.', 'xn--bcher-kva.example.com', 'bu\u0308cher.example.com']) {
      const answer = await live().post('/v1/domains', { hostname });
      expect({ status: answer.status, id: JSON.parse(answer.text).id }).toEqual({ status: 200, id });
    }
  });
};
