import { afterEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../../shared/adapters/system.ts';
import type { LookupFailure } from '../../../shared/core/dns/dns-survey.ts';
import type { DnsMessage, Question } from '../../../shared/dns/wire/dns-message.ts';
import { createDnsExchange } from '../../../shared/dns/wire/dns-transport.ts';
import { type DnsServer, dnsServer, type Fault } from '../../fixtures/dns/dns-server.ts';
import { rawServer } from '../../fixtures/raw-server.ts';

const NAME = 'careers.acme.test';
const QUESTION: Question = { name: NAME, type: 'A', recursion: false, checkingDisabled: false };
const ZONES = { 'acme.test': [[NAME, 'A', '192.0.2.1']] } as const;
/** The timeout of a DNS question, for tests in which a question times out. */
const TIMEOUT_MS = 150;

const opened: AsyncDisposable[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each[Symbol.asyncDispose]()));
});

test('the DNS client sends nothing over TCP after an answer over UDP', async () => {
  const server = await started();
  expect(valuesOf(await ask(server))).toEqual(['192.0.2.1']);
  expect(server.asked).toHaveLength(1);
});

test('the DNS client repeats a question over TCP after a truncated answer', async () => {
  const server = await started(({ via }) => (via === 'udp' ? { truncate: true } : {}));
  expect(valuesOf(await ask(server))).toEqual(['192.0.2.1']);
  expect(server.asked).toHaveLength(2);
});

test('the DNS client asks over TCP if the server is silent over UDP', async () => {
  const server = await started(({ via }) => (via === 'udp' ? { drop: true } : {}));
  expect(valuesOf(await ask(server))).toEqual(['192.0.2.1']);
});

test('the DNS client reports a silent server as a timeout', async () => {
  const server = await started(() => ({ drop: true }));
  expect(await ask(server)).toBe('timeout');
});

test('the DNS client reports an address without a server as unreachable', async () => {
  const server = await started();
  await server[Symbol.asyncDispose]();
  opened.length = 0;
  expect(await ask(server)).toBe('unreachable');
});

test('a DNS question does not wait behind the hundreds of hanging questions of another lookup', async () => {
  const silent = await started(() => ({ drop: true }));
  const server = await started();
  const exchange = createDnsExchange({ random: systemRandom, timeoutMs: TIMEOUT_MS, socketsMax: 10 });
  const put = ({ port }: DnsServer, signal: AbortSignal) =>
    exchange({ ip: '127.0.0.1', port }, QUESTION, true, signal);
  const hanging = new AbortController();
  let ended = 0;
  const others = Array.from({ length: 200 }, async () => {
    await put(silent, hanging.signal);
    ended += 1;
  });
  expect(valuesOf(await put(server, new AbortController().signal))).toEqual(['192.0.2.1']);
  // Only the first questions of the other work may have ended by now. Most are still queued, so this question did not wait behind them.
  expect(ended).toBeLessThanOrEqual(20);
  hanging.abort();
  await Promise.all(others);
});

describe('over UDP, the DNS client ignores other messages and accepts the answer after them', () => {
  test.each<[string, (answer: Buffer) => Buffer]>([
    ['another id', (answer) => flipped(answer, 0)],
    ['a question', (answer) => flipped(answer, 2, 0x80)],
    ['another name', (answer) => flipped(answer, 14, 0x01)],
    ['the first half', (answer) => answer.subarray(0, answer.length / 2)],
    ['one byte', (answer) => answer.subarray(0, 1)],
    ['more than the agreed size', (answer) => Buffer.concat([answer, Buffer.alloc(1300)])],
    ['an address of another length', (answer) => flipped(answer, answer.length - 11 - 5, 0x01)],
  ])('after a message that has %s', async (_, spoil) => {
    const server = await started(({ via }) =>
      via === 'udp' ? { send: (answer) => [spoil(answer), answer] } : { drop: true },
    );
    expect(valuesOf(await ask(server))).toEqual(['192.0.2.1']);
    expect(server.asked).toHaveLength(1);
  });

  test('after two hundred guesses at the id', async () => {
    const guesses = (answer: Buffer) =>
      Array.from({ length: 200 }, (_, guess) => flipped(answer, 0, guess + 1));
    const server = await started(() => ({ send: (answer) => [...guesses(answer), answer] }));
    expect(valuesOf(await ask(server))).toEqual(['192.0.2.1']);
  });
});

test('over TCP, the DNS client treats a message that is not the answer as malformed', async () => {
  const server = await started(({ via }) =>
    via === 'udp' ? { truncate: true } : { send: (answer) => [flipped(answer, 0)] },
  );
  expect(await ask(server)).toBe('malformed');
});

test('over TCP, the DNS client treats an answer with the flag for truncation as malformed', async () => {
  const server = await started(() => ({ truncate: true }));
  expect(await ask(server)).toBe('malformed');
});

test.each<[string, LookupFailure, Buffer]>([
  ['sends less than it announces', 'unreachable', Buffer.of(0xff, 0xff, 1, 2, 3)],
  ['announces nothing', 'malformed', Buffer.of(0, 0)],
  ['sends nothing', 'unreachable', Buffer.alloc(0)],
])('if a server %s and closes the connection, the DNS client reports %s', async (_, failure, bytes) => {
  const tcp = await rawServer({
    connection(socket) {
      socket.once('data', () => socket.end(bytes));
      return false;
    },
  });
  opened.push(tcp);
  const udp = await dnsServer({
    zones: ZONES,
    port: tcp.port,
    ways: ['udp'],
    fault: () => ({ truncate: true }),
  });
  opened.push(udp);
  expect(await ask({ ...udp, port: tcp.port })).toBe(failure);
});

test('a DNS question in flight ends when its signal is aborted', async () => {
  const aborting = new AbortController();
  const server = await started(() => {
    aborting.abort();
    return { drop: true };
  });
  expect(await ask(server, { signal: aborting.signal, timeout_ms: 60_000 })).toBe('timeout');
});

test('the DNS client opens at most the allowed number of sockets, and still asks every question', async () => {
  let open = 0;
  let most = 0;
  const server = await started(() => {
    open += 1;
    most = Math.max(most, open);
    return { send: (answer) => [answer] };
  });
  const exchange = createDnsExchange({ random: systemRandom, timeoutMs: 5000, socketsMax: 3 });
  const signal = new AbortController().signal;
  const answers = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const answer = await exchange(server, QUESTION, true, signal);
      open -= 1;
      return answer;
    }),
  );
  expect(answers.map(valuesOf)).toEqual(answers.map(() => ['192.0.2.1']));
  expect(most).toBeLessThanOrEqual(3);
});

test('a DNS question that waits for a socket ends when its signal is aborted', async () => {
  const server = await started(() => ({ drop: true }));
  const exchange = createDnsExchange({ random: systemRandom, timeoutMs: 60_000, socketsMax: 1 });
  const aborting = new AbortController();
  const asked = [1, 2].map(() => exchange(server, QUESTION, true, aborting.signal));
  aborting.abort();
  expect(await Promise.all(asked)).toEqual(['timeout', 'timeout']);
  expect(await exchange(server, QUESTION, true, aborting.signal)).toBe('timeout');
});

async function started(fault?: Fault): Promise<DnsServer> {
  const server = await dnsServer({ zones: ZONES, ...(fault ? { fault } : {}) });
  opened.push(server);
  return server;
}

function ask(
  { ip, port }: Pick<DnsServer, 'ip' | 'port'>,
  { signal = new AbortController().signal, timeout_ms = TIMEOUT_MS } = {},
): Promise<DnsMessage | LookupFailure> {
  return createDnsExchange({ random: systemRandom, timeoutMs: timeout_ms, socketsMax: 10 })(
    { ip, port },
    QUESTION,
    true,
    signal,
  );
}

function valuesOf(answer: DnsMessage | LookupFailure): string[] | LookupFailure {
  return typeof answer === 'string' ? answer : answer.answers.map(({ value }) => value);
}

function flipped(bytes: Buffer, offset: number, bits = 0xff): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(offset) ^ bits, offset);
  return copy;
}
