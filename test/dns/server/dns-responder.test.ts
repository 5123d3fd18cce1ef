import packet from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { createServerCookies } from '../../../shared/dns/server/dns-responder.ts';
import { CLIENT, EDGE, NOW_MS, queryOf, responderOf, SECRET, servedZones, shown } from './served-zones.ts';

const respond = responderOf();
const TARGET = 'k7m2q9.edge.example.net';
const udp = (message: Buffer) => respond(message, 'udp', CLIENT);
const word = (bytes: Buffer | null, at: number) => bytes?.readUInt16BE(at);

/** Returns a copy of a query with a 16-bit word changed. */
function changed(query: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(query);
  copy.writeUInt16BE(value, at);
  return copy;
}

interface OptFields {
  size?: number;
  version?: number;
  options?: Buffer;
}

const NO_OPTIONS: Buffer = Buffer.alloc(0);

/** Appends an OPT record to a query. */
function withOpt(query: Buffer, { size = 1232, version = 0, options = NO_OPTIONS }: OptFields = {}): Buffer {
  const opt = Buffer.from([0, 0, 41, size >> 8, size & 255, 0, version, 0x80, 0, 0, options.length]);
  return changed(Buffer.concat([query, opt, options]), 10, 1);
}

function cookieOption(cookie: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0, 10, 0, cookie.length), cookie]);
}

describe('A response of the DNS server', () => {
  test('repeats the question byte for byte, so that letters keep their case', () => {
    const query = queryOf('k7M2q9.EdGe.ExAmPlE.nEt', 'AAAA');
    const response = udp(query);
    expect(response?.subarray(12, query.length)).toEqual(query.subarray(12));
    expect(shown(response).answers).toEqual(['k7M2q9.EdGe.ExAmPlE.nEt 300 AAAA 2001:db8::10']);
  });

  test('repeats the id and RD, and offers no recursion', () => {
    const response = udp(queryOf(TARGET, 'AAAA'));
    expect(word(response, 0)).toBe(0xbeef);
    // The header flags QR, AA and RD are set.
    expect(word(response, 2)).toBe(0x8500);
  });

  test.each([
    ['no header', Buffer.alloc(11)],
    ['a response', changed(queryOf(TARGET, 'A'), 2, 0x8000)],
  ])('is not sent to a message with %s', (_, message) => {
    expect(udp(message)).toBeNull();
  });

  const query = queryOf(TARGET, 'A');
  test.each<[string, string, Buffer]>([
    ['an update as its operation', 'NOTIMP', changed(query, 2, 5 << 11)],
    ['a notification as its operation', 'NOTIMP', changed(query, 2, 4 << 11)],
    ['two questions', 'FORMERR', changed(query, 4, 2)],
    ['no question', 'FORMERR', changed(query, 4, 0)],
    ['an answer', 'FORMERR', changed(query, 6, 1)],
    ['an authority', 'FORMERR', changed(query, 8, 1)],
    ['a missing record', 'FORMERR', changed(query, 10, 1)],
    ['bytes after its end', 'FORMERR', Buffer.concat([query, Buffer.of(0)])],
    ['a cut question', 'FORMERR', query.subarray(0, -1)],
    ['a pointer in the question', 'FORMERR', changed(query, 12, 0xc00c)],
    [
      'a name of more than 255 bytes',
      'FORMERR',
      Buffer.concat([
        query.subarray(0, 12),
        ...Array(5).fill(Buffer.concat([Buffer.of(60), Buffer.alloc(60, 97)])),
        Buffer.of(0, 0, 1, 0, 1),
      ]),
    ],
    ['two OPT records', 'FORMERR', changed(withOpt(withOpt(query)), 10, 2)],
    ['a cut option', 'FORMERR', withOpt(query, { options: Buffer.of(0, 10, 0) })],
    ['a cookie of 7 bytes', 'FORMERR', withOpt(query, { options: cookieOption(Buffer.alloc(7)) })],
    ['a cookie of 41 bytes', 'FORMERR', withOpt(query, { options: cookieOption(Buffer.alloc(41)) })],
    ['OPT as a type', 'FORMERR', changed(query, query.length - 4, 41)],
    ['a transfer as its type', 'REFUSED', changed(query, query.length - 4, 252)],
    ['mail agents as its type', 'NOTIMP', changed(query, query.length - 4, 254)],
    ['the class CHAOS', 'REFUSED', changed(query, query.length - 2, 3)],
  ])('to a message with %s is %s', (_, status, message) => {
    const response = udp(message);
    expect(shown(response).status).toBe(status);
    expect(response?.length).toBeLessThanOrEqual(3 * message.length);
  });

  test('repeats DO, and ignores EDNS options that the server does not know', () => {
    const options = Buffer.concat([Buffer.of(0, 3, 0, 0), Buffer.of(0xff, 0xfe, 0, 2, 1, 2)]);
    const response = udp(withOpt(query, { options }));
    expect(shown(response).status).toBe('NOERROR aa');
    // An OPT record with the size 1232, version 0, the flag DO, and no option.
    expect(response?.subarray(-11)).toEqual(Buffer.from([0, 0, 41, 4, 208, 0, 0, 0x80, 0, 0, 0]));
  });

  test('to a newer version of EDNS is BADVERS', () => {
    const response = udp(withOpt(query, { version: 1 }));
    expect(shown(response)).toMatchObject({ status: 'NOERROR', answers: [] });
    expect(response?.at(-6)).toBe(1);
    expect(response?.at(-5)).toBe(0);
  });
});

describe('The size of a response over UDP is limited', () => {
  const large = queryOf('edge.example.net', 'NS');
  const addresses = Array.from({ length: 40 }, (_, index) => `192.0.2.${index}`);
  const crowded = responderOf(
    servedZones([
      {
        ...EDGE,
        records: addresses.map((address) => ({
          name: '*.edge.example.net',
          content: { type: 'A', address },
        })),
      },
    ]),
  );

  test('is at most three times the size of the query, and TC asks the client to use TCP', () => {
    for (const edns of [null, 4096]) {
      const query = queryOf(TARGET, 'A', edns);
      const response = crowded(query, 'udp', CLIENT);
      expect(response?.length).toBeLessThanOrEqual(3 * query.length);
      expect(shown(response)).toMatchObject({ status: 'NOERROR aa tc', answers: [] });
      expect(shown(crowded(query, 'tcp', CLIENT))).toMatchObject({ status: 'NOERROR aa' });
      expect(shown(crowded(query, 'tcp', CLIENT)).answers).toHaveLength(40);
    }
  });

  test('is reduced by leaving out addresses of name servers before the response is truncated', () => {
    const response = udp(large);
    expect(response?.length).toBeLessThanOrEqual(3 * large.length);
    expect(shown(response).status).toBe('NOERROR aa');
    expect(shown(response).additionals).toHaveLength(1);
    expect(shown(respond(large, 'tcp', CLIENT)).additionals).toHaveLength(2);
  });

  test('may be larger for a client with a cookie of this server', () => {
    const client = Buffer.from('2464c4abcf10c957', 'hex');
    const first = udp(withOpt(large, { options: cookieOption(client) }));
    const cookie = first?.subarray(-24);
    expect(cookie?.subarray(0, 8)).toEqual(client);
    const known = withOpt(large, { options: cookieOption(cookie ?? client) });
    expect(shown(udp(known)).additionals).toHaveLength(2);
    const asOther = respond(known, 'udp', '203.0.113.9');
    expect(asOther?.length).toBeLessThanOrEqual(3 * known.length);
  });

  test('is at most 512 bytes without EDNS, and at most 1232 with it', () => {
    const client = cookieOption(Buffer.alloc(8, 1));
    const long = queryOf(`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(60)}.edge.example.net`, 'A');
    expect(shown(crowded(long, 'udp', CLIENT)).status).toBe('NOERROR aa tc');
    const first = crowded(withOpt(long, { options: client }), 'udp', CLIENT);
    const known = cookieOption(first?.subarray(-24) ?? client);
    for (const size of [0, 512, 1232, 65_535]) {
      const response = crowded(withOpt(long, { size, options: known }), 'udp', CLIENT);
      expect(response?.length).toBeLessThanOrEqual(Math.min(1232, Math.max(512, size)));
      expect(shown(response).answers).toHaveLength(size > 512 ? 40 : 0);
    }
  });
});

describe('A DNS cookie', () => {
  const cookies = createServerCookies(SECRET);
  const nowS = NOW_MS / 1000;
  test.each([
    ['of this address', 0, CLIENT, true],
    ['of an hour ago', -3600, CLIENT, true],
    ['of more than an hour ago', -3601, CLIENT, false],
    ['of a server whose clock is 5 minutes ahead', 300, CLIENT, true],
    ['of the future', 301, CLIENT, false],
    ['of another address', 0, '2001:db8::1', false],
  ])('%s, created %i s from now for %s, is valid: %s', (_, madeS, address, valid) => {
    const cookie = cookies.create(Buffer.alloc(8, 1), address, nowS + madeS);
    expect(cookies.isValid(cookie, CLIENT, nowS)).toBe(valid);
  });

  test('is invalid after a change of any byte', () => {
    const cookie = cookies.create(Buffer.alloc(8, 1), CLIENT, nowS);
    const accepted = Array.from(cookie.keys()).filter((at) => {
      const changed = Buffer.from(cookie);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return cookies.isValid(changed, CLIENT, nowS);
    });
    expect(accepted).toEqual([]);
    expect(createServerCookies(Buffer.alloc(16, 9)).isValid(cookie, CLIENT, nowS)).toBe(false);
  });

  test('is sent in response to a message that asks no question and only requests a cookie', () => {
    const empty = packet.encode({ type: 'query', id: 1, questions: [] });
    const response = udp(withOpt(empty, { options: cookieOption(Buffer.alloc(8, 1)) }));
    expect(shown(response).status).toBe('NOERROR');
    expect(response).toHaveLength(12 + 11 + 4 + 24);
  });
});
