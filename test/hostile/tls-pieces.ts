import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { isPartial } from '../../shared/edge/tls/client-hello.ts';
import { rawServer } from '../fixtures/raw-server.ts';
import type { Dice } from './dice.ts';
import type { TlsOffer } from './script.ts';

const ALPN: readonly (readonly string[] | null)[] = [
  ['h2', 'http/1.1'],
  ['http/1.1'],
  ['h2'],
  null,
  ['acme-tls/1'],
  ['acme-tls/1', 'h2'],
  ['no-such-protocol'],
  ['x'.repeat(255)],
];
const WRONG_NAMES = [
  'unknown.example',
  'localhost',
  'a'.repeat(240),
  'CAREERS.ACME.COM',
  'a_b.example',
  'x',
  '',
];
const VERSIONS = [{}, {}, { maxVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' }] as const;
export const TAMPERS = ['flip', 'inject', 'silence', 'reset'] as const;

/** Returns a correct TLS offer for a connection with HTTP/1.1 or HTTP/2. */
export function rightOffer(servername: string, protocol: 'h2' | 'http/1.1'): TlsOffer {
  return {
    options: { servername, ALPNProtocols: [protocol] },
    patient: true,
    renegotiates: false,
    tamper: null,
  };
}

/** Returns a TLS offer with an unusual server name, protocol list, version or bytes. */
export function oddOffer(dice: Dice, servername: string): TlsOffer {
  const protocols = dice.pick(ALPN);
  return {
    options: {
      servername: dice.chance(0.6) ? servername : dice.pick(WRONG_NAMES),
      ...(protocols && { ALPNProtocols: [...protocols] }),
      ...dice.pick(VERSIONS),
    },
    patient: dice.chance(0.5),
    renegotiates: dice.chance(0.2),
    tamper: dice.chance(0.7) ? { atByte: dice.below(900), how: dice.pick(TAMPERS) } : null,
  };
}

/** TLS records to send after a ClientHello or without one (RFC 8446 section 5.1). */
const RECORDS: readonly (readonly [title: string, bytes: string])[] = [
  ['an alert', '15030300020100'],
  ['a fatal alert', '15030300020228'],
  ['change_cipher_spec', '140303000101'],
  ['application data', '17030300056162636465'],
  ['an empty record', '1603030000'],
  ['a heartbeat', '1803030003014000'],
  ['a record over its limit', '160303ffff'],
  ['a Finished', '160303000414000000'],
  ['SSL 2', '802e010002001500000010'],
];

/** Returns the ClientHellos that OpenSSL sends, one for each variant. */
export async function captureHellos(servername: string): Promise<readonly Buffer[]> {
  const kinds: ConnectionOptions[] = [
    { servername, ALPNProtocols: ['h2', 'http/1.1'] },
    { servername, maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] },
    { maxVersion: 'TLSv1.2' },
    { servername, ALPNProtocols: ['acme-tls/1'] },
  ];
  return Promise.all(kinds.map(captureHello));
}

async function captureHello(options: ConnectionOptions): Promise<Buffer> {
  const said = Promise.withResolvers<Buffer>();
  await using server = await rawServer({
    connection(socket) {
      let bytes = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        if (!isPartial(bytes)) said.resolve(bytes);
      });
      return false;
    },
  });
  const socket = connect(server.port, '127.0.0.1');
  connectTls({ ...options, socket }).on('error', () => undefined);
  const hello = await said.promise;
  socket.destroy();
  return hello;
}

/** Returns the bytes of a TLS handshake that breaks a rule in the ClientHello or right after it. */
export function rawHandshake(dice: Dice, hellos: readonly Buffer[]): { title: string; writes: Buffer[] } {
  const titles: string[] = [];
  let hello = Buffer.from(dice.pick(hellos));
  for (let left = dice.below(4); left > 0; left--) {
    const at = dice.below(hello.length);
    hello[at] = dice.pick([0, 1, 0x7f, 0xff, dice.below(256)]);
    titles.push(`byte ${at}`);
  }
  if (dice.chance(0.2)) {
    hello = hello.subarray(0, dice.below(hello.length));
    titles.push(`cut at ${hello.length}`);
  }
  const writes = dice.chance(0.3) ? inRecords(hello, 1 + dice.below(hello.length)) : [hello];
  for (let left = dice.below(4); left > 0; left--) {
    const [title, bytes] = dice.pick(RECORDS);
    titles.push(title);
    writes.push(Buffer.from(bytes, 'hex'));
  }
  if (dice.chance(0.2)) writes.reverse();
  if (dice.chance(0.2)) writes.push(Buffer.from(dice.pick(hellos)));
  return { title: `ClientHello: ${titles.join(', ')}`, writes };
}

/** Splits a ClientHello into two TLS records. */
function inRecords(hello: Buffer, at: number): Buffer[] {
  const message = hello.subarray(5);
  return [message.subarray(0, at), message.subarray(at)].map((part) => {
    const head = Buffer.from(hello.subarray(0, 5));
    if (head.length === 5) head.writeUInt16BE(part.length, 3);
    return Buffer.concat([head, part]);
  });
}
