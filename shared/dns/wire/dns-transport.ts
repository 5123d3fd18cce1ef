import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { LookupFailure } from '../../core/dns/dns-survey.ts';
import { FairSlots, type Slot } from '../../core/fairness/fair-slots.ts';
import type { Random } from '../../ports/system.ts';
import { type DnsMessage, encodeQuestion, type Question, readAnswer } from './dns-message.ts';
import { UDP_BYTES_MAX } from './message-format.ts';

/** Sends a question to a server over UDP. Repeats it over TCP if there is no answer or only a truncated one. */
export type DnsExchange = (
  address: SocketAddress,
  question: Question,
  edns: boolean,
  signal: AbortSignal,
) => Promise<DnsMessage | LookupFailure>;

export interface SocketAddress {
  /** An IP address, not a name. */
  ip: string;
  port: number;
}

export interface TransportOptions {
  /** Generates the ids of questions. */
  random: Random;
  /** The timeout of a question over UDP, and of its repetition over TCP. */
  timeoutMs: number;
  socketsMax: number;
}

export function createDnsExchange({ random, timeoutMs, socketsMax }: TransportOptions): DnsExchange {
  // Shares the sockets among surveys. So a zone with a hundred servers that do not respond delays another survey only until one socket is
  // free.
  const slots = new FairSlots<AbortSignal>({
    slotsMax: socketsMax,
    mayTake: () => true,
    queuedMax: Infinity,
    queuedPerPartyMax: Infinity,
  });

  /** Waits for a free socket. Resolves with null if the survey ends first. */
  async function acquire(work: AbortSignal): Promise<Slot<AbortSignal> | null> {
    if (work.aborted) return null;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slot = slots.ask(work, begin);
    if (!slot?.waits) return slot;
    const giveUp = () => begin();
    work.addEventListener('abort', giveUp, { once: true });
    await begun;
    work.removeEventListener('abort', giveUp);
    if (!slot.waits) return slot;
    slots.leave(slot);
    return null;
  }

  async function attempt(over: Attempt, asked: Asked): Promise<DnsMessage | LookupFailure> {
    const slot = await acquire(asked.signal);
    if (slot === null) return 'timeout';
    try {
      return await over({ ...asked, id: Buffer.from(random(2)).readUInt16BE(0), timeoutMs });
    } finally {
      slots.leave(slot);
    }
  }

  return async (address, question, edns, signal) => {
    const asked = { address, question, edns, signal };
    const first = await attempt(overUdp, asked);
    if (typeof first === 'object' && !first.truncated) return first;
    const second = await attempt(overTcp, asked);
    // If TCP failed too, returns the failure over UDP, because many servers do not offer TCP.
    return second === 'unreachable' && typeof first === 'string' ? first : second;
  };
}

interface Asked {
  address: SocketAddress;
  question: Question;
  edns: boolean;
  signal: AbortSignal;
}

type Attempt = (asked: Asked & { id: number; timeoutMs: number }) => Promise<DnsMessage | LookupFailure>;

/**
 * Sends a question over UDP. Each question has its own socket and so a random source port (RFC 5452). The socket is connected, so it
 * receives only from this server. Until the deadline, ignores messages that are not the answer, so that an attacker's wrong guess has no
 * effect.
 */
const overUdp: Attempt = ({ address, question, edns, signal, id, timeoutMs }) =>
  settled(signal, timeoutMs, (settle) => {
    const socket = createSocket(isIPv6(address.ip) ? 'udp6' : 'udp4');
    socket.on('error', () => settle('unreachable'));
    socket.on('message', (bytes) => {
      const answer = bytes.length <= UDP_BYTES_MAX ? readAnswer(bytes, question, id) : null;
      if (answer !== null) settle(answer);
    });
    socket.once('connect', () => socket.send(encodeQuestion(question, id, edns)));
    socket.connect(address.port, address.ip);
    return () => socket.close();
  });

/** Sends a question over TCP and reads the answer. Each message has a prefix with its length (RFC 7766 section 8). */
const overTcp: Attempt = ({ address, question, edns, signal, id, timeoutMs }) =>
  settled(signal, timeoutMs, (settle) => {
    const socket = connect({ host: address.ip, port: address.port });
    let received = Buffer.alloc(0);
    socket.on('error', () => settle('unreachable'));
    socket.on('end', () => settle('unreachable'));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = readAnswer(received.subarray(2, 2 + received.readUInt16BE(0)), question, id);
      settle(answer === null || answer.truncated ? 'malformed' : answer);
    });
    const query = encodeQuestion(question, id, edns);
    socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 0xff), query]));
    return () => socket.destroy();
  });

type Settle = (outcome: DnsMessage | LookupFailure) => void;

/**
 * Resolves with the first outcome, or with `timeout` after the deadline. `open` starts the exchange and returns a function that closes its
 * socket.
 */
function settled(
  signal: AbortSignal,
  timeoutMs: number,
  open: (settle: Settle) => () => void,
): Promise<DnsMessage | LookupFailure> {
  if (signal.aborted) return Promise.resolve('timeout');
  return new Promise((resolve) => {
    let ended = false;
    const settle: Settle = (outcome) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', expire);
      close();
      resolve(outcome);
    };
    const expire = () => settle('timeout');
    const timer = setTimeout(expire, timeoutMs);
    signal.addEventListener('abort', expire, { once: true });
    const close = open(settle);
  });
}
