import packet from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { encodeQuestion } from '../../../shared/dns/wire/dns-message.ts';
import {
  answerBytes,
  encoded,
  label,
  POINTER,
  QUESTION,
  readIt,
  record,
  wireName,
} from '../hostile-answers.ts';

const A = Buffer.of(192, 0, 2, 1);

describe('a DNS question is encoded', () => {
  test('contains its name, EDNS with 1232 bytes, and the requested bits', () => {
    const query = packet.decode(encodeQuestion({ ...QUESTION, checkingDisabled: true }, 7, true));
    expect(query).toMatchObject({ id: 7, type: 'query', flag_rd: true, flag_cd: true });
    expect(query.questions).toEqual([{ name: QUESTION.name, type: 'A', class: 'IN' }]);
    expect(query.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232, flag_do: false }]);
  });

  test('has no EDNS record for an old server without EDNS', () => {
    const query = packet.decode(encodeQuestion({ ...QUESTION, recursion: false }, 7, false));
    expect(query).toMatchObject({ flag_rd: false, flag_cd: false, additionals: [] });
  });

  test.each(['.', 'a.b', `${'x'.repeat(63)}.${'y'.repeat(63)}.example`, '_acme-challenge.CAREERS.acme.com'])(
    'has the same bytes as in dns-packet if it is about %s',
    (name) => {
      for (const type of ['A', 'AAAA', 'CNAME', 'NS', 'SOA', 'TXT', 'CAA', 'DS'] as const) {
        const ours = encodeQuestion({ name, type, recursion: true, checkingDisabled: false }, 0xfffe, false);
        const flags = packet.RECURSION_DESIRED;
        expect(ours).toEqual(
          packet.encode({ type: 'query', id: 0xfffe, flags, questions: [{ name, type }] }),
        );
      }
    },
  );
});

describe('a DNS answer is decoded', () => {
  test('can contain records of all the types that we use', () => {
    const answer = readIt(
      encoded({
        answers: [
          { type: 'CNAME', name: QUESTION.name, ttl: 60, data: 'X.Acme.test' },
          { type: 'A', name: 'x.acme.test', ttl: 5, data: '192.0.2.1' },
          { type: 'AAAA', name: 'x.acme.test', ttl: 5, data: '2001:db8:0:0:0:0:0:1' },
          { type: 'TXT', name: 'x.acme.test', ttl: 5, data: ['one ', Buffer.from('two\\\xff"', 'latin1')] },
          { type: 'CAA', name: 'x.acme.test', ttl: 5, data: { flags: 128, tag: 'issue', value: 'a"b' } },
          {
            type: 'DS',
            name: 'x.acme.test',
            ttl: 5,
            data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.of(0xab) },
          },
        ],
        authorities: [
          { type: 'NS', name: 'acme.test', ttl: 5, data: 'ns1.acme.test' },
          {
            type: 'SOA',
            name: 'acme.test',
            ttl: 5,
            data: {
              mname: 'a.test',
              rname: 'b.test',
              serial: 1,
              refresh: 2,
              retry: 3,
              expire: 4,
              minimum: 5,
            },
          },
        ],
      }),
    );
    expect(answer?.answers).toEqual([
      { name: 'careers.acme.test', type: 'CNAME', value: 'x.acme.test', ttl_s: 60 },
      { name: 'x.acme.test', type: 'A', value: '192.0.2.1', ttl_s: 5 },
      { name: 'x.acme.test', type: 'AAAA', value: '2001:db8::1', ttl_s: 5 },
      { name: 'x.acme.test', type: 'TXT', value: 'one two\\\\\\255"', ttl_s: 5 },
      { name: 'x.acme.test', type: 'CAA', value: '128 issue "a\\"b"', ttl_s: 5 },
      { name: 'x.acme.test', type: 'DS', value: '1 13 2 AB', ttl_s: 5 },
    ]);
    expect(answer?.authorities.map(({ value }) => value)).toEqual([
      'ns1.acme.test',
      'a.test b.test 1 2 3 4 5',
    ]);
    expect(answer).toMatchObject({
      rcode: 0,
      recursionAvailable: true,
      authoritative: false,
      hasEdns: false,
    });
  });

  test('may repeat the question in another case', () => {
    const bytes = encoded({ questions: [{ name: 'cArEeRs.ACME.test', type: 'A' }] });
    expect(readIt(bytes)).not.toBeNull();
  });

  test('gets a TTL of 0 if the first bit of the TTL is set', () => {
    const bytes = answerBytes([record(1, A, POINTER, 4, 0x8000_0001)]);
    expect(readIt(bytes)?.answers).toMatchObject([{ ttl_s: 0 }]);
  });

  test('loses its records of another class or an unused type', () => {
    const chaos = record(1, A);
    chaos.writeUInt16BE(3, 4);
    const bytes = answerBytes([chaos, record(46, Buffer.from('anything')), record(1, A)]);
    expect(readIt(bytes)?.answers).toHaveLength(1);
  });

  test('is read only up to the end of its question if it is truncated', () => {
    const bytes = answerBytes([Buffer.of(0xff)], { answers: 9 }, 0x8380);
    expect(readIt(bytes)).toMatchObject({ truncated: true, answers: [] });
  });

  test('has its extended errors and the upper bits of its code read from EDNS', () => {
    const options = Buffer.of(
      0,
      15,
      0,
      4,
      0,
      6,
      0x68,
      0x69,
      0,
      15,
      0,
      2,
      0,
      6,
      0,
      15,
      0,
      2,
      0,
      22,
      0,
      3,
      0,
      0,
    );
    const opt = record(41, options, Buffer.of(0), options.length, 0x0100_0000);
    expect(readIt(answerBytes([opt], { answers: 0, additionals: 1 }))).toMatchObject({
      rcode: 16,
      ede: [6, 22],
      hasEdns: true,
    });
  });
});

describe('a DNS name is encoded and decoded exactly', () => {
  test('distinguishes a dot within a label from a dot between two labels', () => {
    const target = Buffer.concat([label('edge.example'), label('net'), Buffer.of(0)]);
    expect(readIt(answerBytes([record(5, target)]))?.answers).toMatchObject([
      { value: 'edge\\.example.net' },
    ]);
  });

  test('has its unusual bytes escaped when read, so that no two names look alike', () => {
    const target = Buffer.concat([label(Buffer.of(0, 0x20, 0x5c, 0xff, 0x41)), Buffer.of(0)]);
    expect(readIt(answerBytes([record(5, target)]))?.answers).toMatchObject([
      { value: '\\000\\032\\\\\\255a' },
    ]);
  });

  test('cannot hide a dot within a label in a question', () => {
    const bytes = Buffer.concat([
      answerBytes([]).subarray(0, 12),
      label('careers.acme'),
      label('test'),
      Buffer.of(0, 0, 1, 0, 1),
    ]);
    expect(readIt(bytes)).toBeNull();
  });

  test('may have 255 bytes, but not 256', () => {
    const labels = [63, 63, 63].map((length) => label('a'.repeat(length)));
    const longest = Buffer.concat([...labels, label('a'.repeat(61)), Buffer.of(0)]);
    const longer = Buffer.concat([...labels, label('a'.repeat(62)), Buffer.of(0)]);
    expect(readIt(answerBytes([record(5, longest)]))).not.toBeNull();
    expect(readIt(answerBytes([record(5, longer)]))).toBeNull();
  });
});

describe('a DNS error needs no question if it has certain codes', () => {
  const header = (flags: number) => put16(put16(answerBytes([]), 2, flags), 4, 0).subarray(0, 12);

  test.each([
    ['REFUSED', 0x8185, 5],
    ['FORMERR', 0x8181, 1],
    ['SERVFAIL', 0x8182, 2],
  ])('may consist of a header alone if its code is %s', (_, flags, rcode) => {
    expect(readIt(header(flags))).toMatchObject({ rcode, answers: [], hasEdns: false });
  });

  test.each([
    ['NOERROR', 0x8580],
    ['NXDOMAIN', 0x8583],
  ])('is refused without its question if its code is %s', (_, flags) => {
    expect(readIt(header(flags))).toBeNull();
  });
});

describe('a malformed DNS answer is refused', () => {
  const valid = answerBytes([record(1, A)]);
  const questionAt = 12 + wireName(QUESTION.name).length;
  test('is tested with changes to an answer that is accepted', () => {
    expect(readIt(valid)?.answers).toMatchObject([{ name: QUESTION.name, value: '192.0.2.1' }]);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['of another id', (bytes) => put16(bytes, 0, 0x1235)],
    ['that is a question', (bytes) => put16(bytes, 2, 0x0180)],
    ['of another opcode', (bytes) => put16(bytes, 2, 0x8980)],
    ['without a question', (bytes) => put16(bytes, 4, 0)],
    ['with two questions', (bytes) => put16(bytes, 4, 2)],
    ['for another name', (bytes) => put8(bytes, 13, 0x78)],
    ['for another type', (bytes) => put16(bytes, questionAt, 28)],
    ['for another class', (bytes) => put16(bytes, questionAt + 2, 3)],
    ['that counts more records than it has', (bytes) => put16(bytes, 6, 2)],
    ['that counts 65535 records', (bytes) => put16(bytes, 10, 65_535)],
    ['that ends in its header', (bytes) => bytes.subarray(0, 11)],
    ['that ends in its question', (bytes) => bytes.subarray(0, 20)],
    ['that ends in a record', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['that is empty', () => Buffer.alloc(0)],
    ['whose record is longer than the message', () => answerBytes([record(1, A, POINTER, 5)])],
    ['with an address of five bytes', () => answerBytes([record(1, Buffer.concat([A, A]), POINTER, 5)])],
    ['with an IPv6 address of four', () => answerBytes([record(28, A)])],
    ['with an empty address', () => answerBytes([record(1, A, POINTER, 0)])],
    ['with a CNAME shorter than its record', () => answerBytes([record(5, Buffer.of(0, 0))])],
    ['with a TXT that runs out of its record', () => answerBytes([record(16, Buffer.of(3, 65))])],
    ['with a short SOA', () => answerBytes([record(6, Buffer.alloc(21))])],
    ['with a CAA without tag', () => answerBytes([record(257, Buffer.of(0, 0))])],
    ['with a CAA whose tag is too long', () => answerBytes([record(257, Buffer.of(0, 9, 65))])],
    ['with a DS of four bytes', () => answerBytes([record(43, A)])],
    ['with a name that points to itself', () => answerBytes([record(1, A, Buffer.of(0xc0, questionAt + 4))])],
    ['with a name that points forward', () => answerBytes([record(1, A, Buffer.of(0xc0, questionAt + 9))])],
    ['with a name in the header', () => answerBytes([record(1, A, Buffer.of(0xc0, 2))])],
    ['with a label of an unknown kind', () => answerBytes([record(1, A, Buffer.of(0x41, 0))])],
    ['with a name that never ends', () => answerBytes([label('x')], { answers: 1 })],
    ['with EDNS among its answers', () => answerBytes([record(41, Buffer.alloc(0), Buffer.of(0))])],
    [
      'whose OPT record has a compressed owner',
      () => answerBytes([record(41, NONE, Buffer.of(0xc0, 30))], { answers: 0, additionals: 1 }),
    ],
    ['with EDNS twice', () => answerBytes([OPT, OPT], { answers: 0, additionals: 2 })],
    [
      'with an option that exceeds EDNS',
      () =>
        answerBytes([record(41, Buffer.of(0, 15, 0, 9, 0), Buffer.of(0))], { answers: 0, additionals: 1 }),
    ],
  ])('is refused %s', (_, spoil) => {
    expect(readIt(spoil(Buffer.from(valid)))).toBeNull();
  });

  test('is refused with a chain of pointers that no encoder would write', () => {
    const pointers = Array.from({ length: 100 }, (_, index) => {
      const to = index === 0 ? 12 : questionAt + 4 + 11 + (index - 1) * 2;
      return Buffer.of(0xc0 | (to >> 8), to & 0xff);
    });
    const chain = Buffer.concat(pointers);
    const carrier = record(99, chain, Buffer.of(0));
    const last = questionAt + 4 + 11 + 99 * 2;
    const name = Buffer.of(0xc0 | (last >> 8), last & 0xff);
    expect(readIt(answerBytes([carrier, record(1, A, name)]))).toBeNull();
  });
});

const NONE = Buffer.alloc(0);
/** The OPT record of an answer without options. */
const OPT = record(41, NONE, Buffer.of(0));

function put16(bytes: Buffer, offset: number, value: number): Buffer {
  bytes.writeUInt16BE(value, offset);
  return bytes;
}

function put8(bytes: Buffer, offset: number, value: number): Buffer {
  bytes.writeUInt8(value, offset);
  return bytes;
}
