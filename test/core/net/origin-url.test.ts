import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../shared/core/errors.ts';
import { parseOriginUrl, parseWebhookUrl } from '../../../shared/core/net/origin-url.ts';

const RULES = { serviceZones: ['edge.service.example'], allowLoopback: false };
const LOCAL = { ...RULES, allowLoopback: true };
const NOT_ALLOWED = expect.objectContaining({ code: 'origin_not_allowed' });

describe('the parser of origin URLs normalises a valid origin', () => {
  test.each([
    ['https://app.acme.com', 'https://app.acme.com'],
    ['https://app.acme.com/', 'https://app.acme.com'],
    ['HTTPS://App.ACME.com:443', 'https://app.acme.com'],
    ['https://app.acme.com:8443', 'https://app.acme.com:8443'],
    ['https://app.acme.com.', 'https://app.acme.com'],
    ['https://bücher.de', 'https://xn--bcher-kva.de'],
    ['https://acme.github.io', 'https://acme.github.io'],
    ['https://notedge.service.example', 'https://notedge.service.example'],
  ])('turns %s into %s', (input, origin) => {
    expect(parseOriginUrl(input, RULES)).toBe(origin);
  });

  test.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['https://[::1]:3000/', 'https://[::1]:3000'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://app.localhost.', 'http://app.localhost'],
    ['https://app.acme.com', 'https://app.acme.com'],
  ])('accepts %s if loopback is allowed', (input, origin) => {
    expect(parseOriginUrl(input, LOCAL)).toBe(origin);
  });
});

/** URLs that are allowed neither as an origin nor as a webhook. */
const HOSTILE: [string, string][] = [
  ['', 'https://'],
  ['acme.com', 'https://'],
  ['//acme.com', 'https://'],
  ['https:acme.com', 'https://'],
  ['https:/acme.com', 'https://'],
  ['https:\\\\acme.com', 'character "\\\\"'],
  ['https:///acme.com', 'host or port'],
  ['https://', 'host or port'],
  ['https://:443', 'host or port'],
  [' https://acme.com', 'character " "'],
  ['https://acme.com\n', 'character "\\u{a}"'],
  ['ht\ttps://acme.com', 'character "\\u{9}"'],
  ['https://acme.com\u00a0', 'character'],
  ['https://acme.com\u2028', 'character'],
  ['https://acme.com\ud800', 'character'],
  ['http://app.acme.com', 'http, not https'],
  ['ftp://app.acme.com', 'ftp, not https'],
  ['file:///etc/passwd', 'file, not https'],
  ['javascript://acme.com', 'javascript, not https'],
  ['https://user@acme.com', 'user name'],
  ['https://user:pass@acme.com', 'user name'],
  ['https://@acme.com', 'user name'],
  ['https://acme.com#', 'fragment'],
  ['https://acme.com#x', 'fragment'],
  ['https://acme%2ecom', 'percent'],
  ['https://acme.com:', 'host or port'],
  ['https://acme.com:0', 'host or port'],
  ['https://acme.com:65536', 'host or port'],
  ['https://acme.com:80:80', 'host or port'],
  ['https://acme.com:8a', 'host or port'],
  ['https://*.acme.com', 'wildcards'],
  ['https://a_b.acme.com', 'underscores'],
  ['https://acme', 'one label'],
  ['https://localhost', 'one label'],
  ['https://app.localhost', 'localhost'],
  ['https://printer.local', 'local'],
  ['https://metadata.google.internal', 'internal'],
  ['https://router.home.arpa', 'home.arpa'],
  ['https://co.uk', 'public suffix'],
  ['https://github.io', 'public suffix'],
  ['https://edge.service.example', 'own zones'],
  ['https://x.edge.service.example.', 'own zones'],
  ['https://X.EDGE。service.example', 'own zones'],
  ['https://acme..com', 'empty label'],
  [`https://acme.com/${'x'.repeat(2048)}`, 'more than 2048'],
  ['https://127.0.0.1', 'address'],
  ['https://127.1', 'address'],
  ['https://2130706433', 'address'],
  ['https://0x7f.1', 'address'],
  ['https://0177.0.0.1', 'address'],
  ['https://１２７.０.０.１', 'address'],
  ['https://127.0.0.1.', 'address'],
  ['https://0.0.0.0', 'address'],
  ['https://10.0.0.1', 'address'],
  ['https://169.254.169.254', 'address'],
  ['https://100.64.0.1', 'address'],
  ['https://192.168.1.1:8443', 'address'],
  ['https://168.63.129.16', 'address'],
  ['https://255.255.255.255', 'address'],
  ['https://[::]', 'address'],
  ['https://[::1]', 'address'],
  ['https://[::ffff:127.0.0.1]', 'address'],
  ['https://[::ffff:8.8.8.8]', 'address'],
  ['https://[64:ff9b::7f00:1]', 'address'],
  ['https://[2002:7f00:1::]', 'address'],
  ['https://[fe80::1]', 'address'],
  ['https://[fc00::1]', 'address'],
  ['https://[fe80::1%25eth0]', 'percent'],
  ['https://256.0.0.1', 'host or port'],
  ['https://acme.0x10', 'host or port'],
];

describe('the parser of origin URLs reports an invalid origin', () => {
  const ONLY_ORIGINS: [string, string][] = [
    ['https://acme.com/path', 'path'],
    ['https://acme.com//', 'path'],
    ['https://acme.com/.', 'path'],
    ['https://acme.com?', 'query'],
    ['https://acme.com/?x=1', 'query'],
    ['https://8.8.8.8', 'IP address'],
    ['https://[2606:4700::1111]', 'IP address'],
  ];
  test.each([...HOSTILE, ...ONLY_ORIGINS])('refuses %j: %s', (input, part) => {
    expect(() => parseOriginUrl(input, RULES)).toThrow(NOT_ALLOWED);
    expect(() => parseOriginUrl(input, RULES)).toThrow(part);
  });

  test.each([
    'http://app.acme.com',
    'https://10.0.0.1',
    'https://[::ffff:127.0.0.1]',
    'http://127.0.0.1.acme.com',
    'http://localhost.acme.com',
    'http://notlocalhost',
    'http://[::2]',
  ])('refuses %s even if loopback is allowed', (input) => {
    expect(() => parseOriginUrl(input, LOCAL)).toThrow(NOT_ALLOWED);
  });

  test('refuses a zone of the service even if loopback is allowed and the zone is loopback', () => {
    const rules = { serviceZones: ['edge.localhost'], allowLoopback: true };
    expect(() => parseOriginUrl('http://a.edge.localhost:4401', rules)).toThrow(NOT_ALLOWED);
  });
});

describe('the parser of webhook URLs normalises a URL or reports it', () => {
  test.each([
    ['https://acme.com/hooks?app=1&x=%20', 'https://acme.com/hooks?app=1&x=%20'],
    ['https://ACME.com:443/Hooks', 'https://acme.com/Hooks'],
    ['https://acme.com', 'https://acme.com'],
    ['https://acme.com/', 'https://acme.com/'],
    ['https://acme.com?x=1', 'https://acme.com/?x=1'],
    ['https://acme.com/a/../b', 'https://acme.com/b'],
    ['https://acme.com/@user:x', 'https://acme.com/@user:x'],
    ['https://8.8.8.8/hooks', 'https://8.8.8.8/hooks'],
    ['https://[2606:4700::1111]/hooks', 'https://[2606:4700::1111]/hooks'],
  ])('turns %s into %s', (input, url) => {
    expect(parseWebhookUrl(input, RULES)).toBe(url);
  });

  test('accepts loopback and plain HTTP if loopback is allowed', () => {
    expect(parseWebhookUrl('http://localhost:3000/hooks', LOCAL)).toBe('http://localhost:3000/hooks');
    expect(parseWebhookUrl('http://127.0.0.1:3000/hooks?a=1', LOCAL)).toBe('http://127.0.0.1:3000/hooks?a=1');
  });

  test.each(HOSTILE)('reports %j as a problem of the field: %s', (input, part) => {
    const fields = [{ path: 'webhook_url', message: expect.stringContaining(part) }];
    const failed = expect.objectContaining({ code: 'validation_failed', status_detail: { fields } });
    expect(() => parseWebhookUrl(input, RULES)).toThrow(failed);
  });
});

describe('the error for a URL hides a user name and password', () => {
  test.each([
    ['https://user:hunter2@foo.com', 'https://***@foo.com'],
    ['https://hunter2@foo.com/a?b', 'https://***@foo.com/a?b'],
    ['https://user:hun/te#r2@foo.com', 'https://***@foo.com'],
    ['https://user:hun@ter2@foo.com', 'https://***@foo.com'],
    ['https://user:hunter2\n@foo.com', 'https://***@foo.com'],
    ['ftp://user:hunter2@foo.com', 'ftp://***@foo.com'],
    ['user:hunter2@foo.com', '***@foo.com'],
  ])('quotes %j as %s', (input, shown) => {
    for (const parse of [parseOriginUrl, parseWebhookUrl]) {
      expect(messageOf(() => parse(input, LOCAL))).toContain(`"${shown}" cannot be used: `);
    }
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
  }
  throw new Error('nothing was refused');
}

test.each(['localhost:3000', '127.0.0.1:3000', 'app.localhost', '[::1]:3000'])(
  'the URL parser suggests a scheme for %s, but only if loopback is allowed',
  (input) => {
    const fix = `Write http://${input}.`;
    expect(() => parseOriginUrl(input, LOCAL)).toThrow(expect.objectContaining({ fix }));
    expect(() => parseOriginUrl(input, RULES)).not.toThrow(expect.objectContaining({ fix }));
  },
);

test.each(['acme.com', 'user@localhost', 'https://localhost:0', ''])(
  'the error for the URL %j suggests no scheme',
  (input) => {
    expect(() => parseOriginUrl(input, LOCAL)).toThrow(
      expect.objectContaining({ fix: expect.stringContaining('Use a public HTTPS origin') }),
    );
  },
);

test('the URL parser turns any text into a URL or a ServiceError, and leaves a parsed URL unchanged', () => {
  const url = fc.tuple(
    fc.constantFrom('https://', 'http://', 'https:'),
    fc.oneof(fc.domain(), fc.ipV4(), fc.string()),
    fc.string(),
  );
  const input = fc.oneof(
    fc.string(),
    fc.webUrl(),
    url.map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(input, fc.constantFrom(RULES, LOCAL), (text, rules) => {
      for (const read of [parseOriginUrl, parseWebhookUrl]) {
        let once: string;
        try {
          once = read(text, rules);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          continue;
        }
        expect(read(once, rules)).toBe(once);
        expect(once).toMatch(rules.allowLoopback ? /^https?:\/\// : /^https:\/\//);
        expect(new URL(once).username).toBe('');
      }
    }),
    { numRuns: 2000 },
  );
});
