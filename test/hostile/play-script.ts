import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Ending, Script, Tamper, TlsOffer } from './script.ts';

/** The maximum times for which a connection waits for the handshake, for a response, and for its end. */
const HANDSHAKE_MS = 500;
const RESPONSE_MS = 150;
const END_MS = 150;

/** Plays a hostile connection to its end. If the script leaves the connection open, resolves with its socket, otherwise with null. */
export async function playScript(script: Script, port: number, localAddress: string): Promise<Socket | null> {
  const allowHalfOpen = script.ending === 'hold';
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, allowHalfOpen });
  const closed = closeOf(socket);
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
  const stream = script.tls ? await speakTls(socket, script.tls) : socket;
  stream.on('error', () => undefined);
  if (script.deaf) stream.pause();
  else stream.resume();
  for (const { bytes, pauseMs } of script.writes) {
    if (socket.destroyed || stream.destroyed) break;
    stream.write(bytes);
    if (pauseMs === 0) await nextTick();
    else if (pauseMs !== null) await pause(pauseMs);
  }
  if (script.ending === 'hold') return socket;
  await finish(script.ending, socket, stream, closed);
  return null;
}

async function finish(ending: Ending, socket: Socket, stream: Duplex, closed: Promise<true>): Promise<void> {
  if (ending === 'resetOnResponse')
    await Promise.race([new Promise((resolve) => stream.once('data', resolve)), closed, pause(RESPONSE_MS)]);
  if (ending === 'reset' || ending === 'resetOnResponse') {
    socket.resetAndDestroy();
    return;
  }
  if (ending === 'end') stream.end();
  await Promise.race([closed, pause(END_MS)]);
  socket.destroy();
}

async function speakTls(socket: Socket, offer: TlsOffer): Promise<TLSSocket> {
  const { tamper, patient, renegotiates, options } = offer;
  const tls = connectTls({
    ...options,
    socket: tamper ? await tampered(socket, tamper) : socket,
    rejectUnauthorized: false,
  });
  const over = closeOf(tls);
  if (!patient) return tls;
  await Promise.race([
    new Promise((resolve) => tls.once('secureConnect', resolve)),
    over,
    pause(HANDSHAKE_MS, undefined, { ref: false }),
  ]);
  if (renegotiates && !tls.destroyed && tls.getProtocol() === 'TLSv1.2') tls.renegotiate({}, () => undefined);
  return tls;
}

/**
 * Returns a socket to a relay that damages the visitor's bytes on their way to the server. The relay uses system sockets, because TLS over
 * a JavaScript stream fails one of Node's own assertions when bytes arrive during an empty write. `renegotiate` makes such writes.
 */
async function tampered(far: Socket, tamper: Tamper): Promise<Socket> {
  const relay = createServer().listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const near = connect((relay.address() as AddressInfo).port, '127.0.0.1');
  const [inner] = (await once(relay, 'connection')) as [Socket];
  relay.close();
  for (const [socket, other] of [[inner, far] as const, [far, inner] as const])
    socket.on('error', () => socket.destroy()).once('close', () => other.destroy());
  inner.pipe(tampering(far, tamper)).pipe(far);
  far.pipe(inner);
  return near;
}

function tampering(far: Socket, { atByte, how }: Tamper): Transform {
  let sent = 0;
  const change = (chunk: Buffer): Buffer => {
    const at = atByte - sent;
    sent += chunk.length;
    const silenced = how === 'silence' && sent > atByte;
    if (silenced) return chunk.subarray(0, Math.max(at, 0));
    if (at < 0 || at >= chunk.length) return chunk;
    if (how === 'flip') return Buffer.from(chunk.map((byte, i) => (i === at ? byte ^ 0xff : byte)));
    if (how === 'inject') return Buffer.concat([chunk.subarray(0, at), INJECTED, chunk.subarray(at)]);
    far.write(chunk.subarray(0, at));
    far.resetAndDestroy();
    return Buffer.alloc(0);
  };
  return new Transform({ transform: (chunk, _encoding, done) => done(null, change(chunk)) });
}

const INJECTED = Buffer.from('\x17\x03\x03\x00\x05abcde', 'latin1');

/** Resolves once the connection has closed, with or without an error. */
function closeOf(socket: Socket | TLSSocket): Promise<true> {
  socket.on('error', () => socket.destroy());
  return new Promise((resolve) => socket.once('close', () => resolve(true)));
}
