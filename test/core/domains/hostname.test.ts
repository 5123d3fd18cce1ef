import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  certificateDoubt,
  checkIsPublic,
  isUnder,
  parseHostname,
} from '../../../shared/core/domains/hostname.ts';
import { ServiceError } from '../../../shared/core/errors.ts';

const ZONES = ['edge.service.example', 'sandbox.example'];
const parse = (input: string) => parseHostname(input, ZONES);

function refusal(input: string): ServiceError {
  try {
    parse(input);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(input)} was accepted`);
}

describe('the hostname parser accepts a valid hostname', () => {
  test.each([
    ['careers.acme.com', 'careers.acme.com', 'acme.com', 'careers'],
    ['acme.com', 'acme.com', 'acme.com', '@'],
    ['Careers.ACME.com.', 'careers.acme.com', 'acme.com', 'careers'],
    ['a.b.acme.co.uk', 'a.b.acme.co.uk', 'acme.co.uk', 'a.b'],
    ['acme.co.uk', 'acme.co.uk', 'acme.co.uk', '@'],
    ['acme.github.io', 'acme.github.io', 'acme.github.io', '@'],
    ['www.acme.github.io', 'www.acme.github.io', 'acme.github.io', 'www'],
    ['Bücher.de', 'xn--bcher-kva.de', 'xn--bcher-kva.de', '@'],
    ['faß.de', 'xn--fa-hia.de', 'xn--fa-hia.de', '@'],
    ['XN--BCHER-KVA.de', 'xn--bcher-kva.de', 'xn--bcher-kva.de', '@'],
    ['jobs.例え.テスト', 'jobs.xn--r8jz45g.xn--zckzah', 'xn--r8jz45g.xn--zckzah', 'jobs'],
    ['careers。acme．com｡', 'careers.acme.com', 'acme.com', 'careers'],
    ['ａｃｍｅ.com', 'acme.com', 'acme.com', '@'],
    ['1.acme.com', '1.acme.com', 'acme.com', '1'],
    ['1e3.acme.com', '1e3.acme.com', 'acme.com', '1e3'],
    ['ab--cd.acme.com', 'ab--cd.acme.com', 'acme.com', 'ab--cd'],
    ['careers.acme.test', 'careers.acme.test', 'acme.test', 'careers'],
    ['www.ck', 'www.ck', 'www.ck', '@'],
    ['notedge.service.example', 'notedge.service.example', 'service.example', 'notedge'],
    ['service.example', 'service.example', 'service.example', '@'],
  ])('turns %s into %s', (input, hostname, registrable, relativeName) => {
    expect(parse(input)).toEqual({
      hostname,
      registrable,
      relativeName,
      is_apex: relativeName === '@',
    });
  });

  test('accepts labels of up to 63 and names of up to 253 characters, not counting a trailing dot', () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
    expect(long).toHaveLength(253);
    expect(parse(`${long}.`).hostname).toBe(long);
    expect(refusal(`a${long}`).message).toContain('label');
    expect(refusal(`${long.replace('d', 'dd')}`).message).toContain('254 characters');
  });
});

describe('the hostname parser refuses an invalid hostname', () => {
  test('refuses a name that is too long, or has a label that is too long', () => {
    expect(refusal(`${'a.'.repeat(127)}com`)).toMatchObject({
      code: 'invalid_hostname',
      message: expect.stringContaining('more than 253'),
    });
    expect(refusal('ü'.repeat(1025))).toMatchObject({
      code: 'invalid_hostname',
      message: expect.stringContaining('more than 1024'),
    });
  });

  test.each([
    ['', 'empty'],
    ['.', 'empty label'],
    ['..', 'empty label'],
    ['acme', 'one label'],
    ['localhost', 'one label'],
    ['.acme.com', 'empty label'],
    ['careers..acme.com', 'empty label'],
    ['acme.com..', 'empty label'],
    ['acme.com.。', 'empty label'],
    [' acme.com', 'space'],
    ['acme.com\n', 'character "\\u{a}"'],
    ['ac\tme.com', 'character "\\u{9}"'],
    ['acme.com\0', 'character "\\u{0}"'],
    ['https://acme.com', 'scheme'],
    ['HTTP://acme.com/x', 'scheme'],
    ['acme.com/path', 'path'],
    ['acme.com:443', 'port'],
    ['jane@acme.com', 'user name'],
    ['acme.com?x=1', 'character "?"'],
    ['acme.com#x', 'character "#"'],
    ['acme.com\\x', 'character "\\\\"'],
    ['a%63me.com', 'character "%"'],
    ['a%2eacme.com', 'character "%"'],
    ['a\uff0fb.com', 'UTS #46'],
    ['a\uff0541.com', 'UTS #46'],
    ['\uff0a.acme.com', 'letters, digits and hyphens'],
    ['*.acme.com', 'wildcards'],
    ['_service.acme.com', 'underscores'],
    ['a_b.acme.com', 'underscores'],
    ['\uff3fa.acme.com', 'letters, digits and hyphens'],
    ["it's.acme.com", 'character "\'"'],
    ['-careers.acme.com', 'hyphen'],
    ['careers-.acme.com', 'hyphen'],
    [`${'x'.repeat(64)}.acme.com`, 'more than 63'],
    [`${'ü'.repeat(60)}.acme.com`, 'more than 63'],
    ['127.0.0.1', 'IPv4'],
    ['127.0.0.1.', 'IPv4'],
    ['127.1', 'IPv4'],
    ['2130706433', 'IPv4'],
    ['0x7f.0.0.1', 'IPv4'],
    ['0x7f000001', 'IPv4'],
    ['0177.0.0.1', 'IPv4'],
    ['１２７.０.０.１', 'IPv4'],
    ['1.2.3.4.5', 'IPv4'],
    ['256.256.256.256', 'IPv4'],
    ['acme.123', 'IPv4'],
    ['acme.0x10', 'IPv4'],
    ['acme.１２３', 'IPv4'],
    ['[::1]', 'IPv6'],
    ['::1', 'IPv6'],
    ['xn--a.com', 'punycode'],
    ['xn--.com', 'hyphen'],
    ['xn--zzzz-.com', 'hyphen'],
    ['xn--0.pt', 'punycode'],
    ['www.xn--a--b.com', 'punycode'],
    ['xn--a-ecp.ru', 'punycode'],
    ['xn--\u00df.com', 'UTS #46'],
    ['a\u200db.com', 'UTS #46'],
    ['\u202eacme.com', 'UTS #46'],
    ['\ud800.com', 'UTS #46'],
    ['\u00ad.com', 'empty label'],
    ['ا\u0061.com', 'UTS #46'],
  ])('refuses %j: %s', (input, part) => {
    const error = refusal(input);
    expect(error.code).toBe('invalid_hostname');
    expect(error.message).toContain(part);
  });
});

test.each(['edge.service.example', 'a1b2.edge.service.example', 'X.SANDBOX.example.', 'x。sandbox.example'])(
  'the hostname %s is refused because it is in a zone of the service',
  (input) => {
    expect(refusal(input).code).toBe('hostname_is_service');
    expect(refusal(input).message).toMatch(/(edge\.service|sandbox)\.example/);
  },
);

test.each(['co.uk', 'com', 'COM.', 'uk', 'github.io', 'CO.UK.', 'test.ck', 's3.amazonaws.com', 'vercel.app'])(
  'the hostname %s is refused because it is a public suffix',
  (input) => {
    expect(refusal(input).code).toBe('hostname_is_public_suffix');
  },
);

describe('the hostname of a live domain must be a public name', () => {
  const check =
    (name: string, allowLoopback = false) =>
    () =>
      checkIsPublic(name, { allowLoopback });

  test.each([
    ['foo.local', 'local'],
    ['shop.onion', 'onion'],
    ['a.invalid', 'invalid'],
    ['1.168.192.in-addr.arpa', 'arpa'],
    ['host.home.arpa', 'arpa'],
    ['app.internal', 'internal'],
    ['shop.localhost', 'localhost'],
    ['shop.acme.example', 'example'],
    ['careers.acme.cmo', 'cmo'],
    ['xn--r8jz45g.xn--zckzah', 'xn--zckzah'],
  ])('is refused if it is %s, because no customer has a name under %s', (name, zone) => {
    expect(check(name)).toThrow(
      expect.objectContaining({
        code: 'invalid_hostname',
        message: expect.stringContaining(`under ${zone} `),
      }),
    );
  });

  test('may be any public name, also with the label `test`, and `localhost` in the emulator', () => {
    for (const name of ['careers.acme.com', 'acme.github.io', 'acme.co.uk', 'www.ck', 'shop.acme.test'])
      expect(check(name)).not.toThrow();
    expect(check('shop.localhost', true)).not.toThrow();
    expect(check('foo.local', true)).toThrow();
  });

  test.each([
    ['ab--cd.acme.com', 'label "ab--cd"'],
    ['a.b.c.d.e.f.g.h.i.acme.com', '11 labels'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(40)}.com`, '236 characters'],
  ])('is reported as doubtful if certificate authorities refuse it: %s', (name, doubt) => {
    expect(certificateDoubt(name)).toContain(doubt);
    expect(certificateDoubt('xn--bcher-kva.a.acme.com')).toBeNull();
  });
});

test('a public suffix that is a zone of the service gets the error for zones of the service', () => {
  expect(() => parseHostname('github.io', ['github.io'])).toThrow(
    expect.objectContaining({ code: 'hostname_is_service' }),
  );
});

test('the hostname parser finds a zone of the service only at label boundaries', () => {
  expect(isUnder('a.acme.com', 'acme.com')).toBe(true);
  expect(isUnder('acme.com', 'acme.com')).toBe(true);
  expect(isUnder('notacme.com', 'acme.com')).toBe(false);
  expect(isUnder('com', 'acme.com')).toBe(false);
});

test('the hostname parser quotes hostile input in a short and printable form', () => {
  const { message } = refusal(`${'\u202e\n'.repeat(400)}.com`);
  expect(message.length).toBeLessThan(800);
  expect(message).not.toMatch(/[\n\u202e]/);
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const likely = fc
  .array(fc.oneof(label, fc.constantFrom('com', 'co', 'uk', 'xn--a', 'ü', '。', '0x1', '%', '_', '')), {
    minLength: 1,
    maxLength: 5,
  })
  .map((labels) => labels.join('.'));

test('the hostname parser turns any text into a hostname or a ServiceError, and leaves a parsed hostname unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(likely, fc.string(), fc.string({ unit: 'binary' }), fc.domain()), (input) => {
      let parsed: ReturnType<typeof parse>;
      try {
        parsed = parse(input);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        return;
      }
      expect(parse(parsed.hostname)).toEqual(parsed);
      expect(parsed.hostname).toMatch(
        /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
      );
      expect(new URL(`https://${parsed.hostname}`).hostname).toBe(parsed.hostname);
      expect(isUnder(parsed.hostname, parsed.registrable)).toBe(true);
      const whole = parsed.is_apex ? parsed.registrable : `${parsed.relativeName}.${parsed.registrable}`;
      expect(whole).toBe(parsed.hostname);
    }),
    { numRuns: 2000 },
  );
});
