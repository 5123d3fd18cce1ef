import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startEmulator } from '../../emulator/start.ts';
import { createClient } from '../../shared/client/client.ts';
import { readFrames } from '../../shared/client/event-stream.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { eventOf, TEST_KEY } from '../cli/resources.ts';

async function framesOf(...chunks: string[]) {
  async function* given() {
    yield* chunks;
  }
  const frames = [];
  for await (const each of readFrames(given())) frames.push(each);
  return frames;
}

test('the parser of the event stream reads frames however their text is split', async () => {
  const text =
    'retry: 1000\nid: a\n\n: heartbeat\n\nid: b\r\ndata: one\r\ndata: two\r\n\r\ndata:{"x":1}\n\nid: cut off';
  const frames = [
    { id: 'a', data: null },
    { id: null, data: null },
    { id: 'b', data: 'one\ntwo' },
    { id: null, data: '{"x":1}' },
  ];
  expect(await framesOf(text)).toEqual(frames);
  expect(await framesOf(...text)).toEqual(frames);
});

/** Starts a server whose streams the test writes by hand. */
async function streamServer(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    answer(request, response, asked.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ids = [1, 2, 3, 4].map((n) => `evt_01k0000000${String(n).padStart(16, '0')}`);
const frame = (id: string | undefined) => `id: ${id}\ndata: ${JSON.stringify(eventOf({ id }))}\n\n`;
const begin = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);

test.each([
  ['the global fetch', undefined],
  ["the command line's fetch", nodeFetch],
])(
  'with %s, the event stream continues after a lost connection and yields each event once',
  async (_, fetch) => {
    await using server = await streamServer((_request, response, count) => {
      if (count === 1) {
        begin(response, `id: ${ids[0]}\n\n${frame(ids[1])}`);
        setTimeout(() => response.destroy(), 20);
      } else if (count === 2) {
        response.writeHead(503, { 'retry-after': '3' }).end('{}');
      } else {
        begin(response, `${frame(ids[1])}${frame(ids[2])}`);
      }
    });
    const waitsMs: number[] = [];
    const sleep = async (waitMs: number) => void waitsMs.push(waitMs);
    const client = createClient({ apiKey: TEST_KEY, baseUrl: server.url, sleep, ...(fetch && { fetch }) });
    const ending = new AbortController();
    const states: (string | null)[] = [];
    const seen: string[] = [];
    const onConnection = (lost: Error | null) => void states.push(lost?.name ?? null);
    for await (const event of client.events.follow({ signal: ending.signal, onConnection })) {
      seen.push(event.id);
      if (seen.length === 2) ending.abort();
    }
    expect(seen).toEqual([ids[1], ids[2]]);
    expect(server.asked).toEqual([undefined, ids[1], ids[1]]);
    expect(states).toEqual(['NetworkError', null]);
    expect(waitsMs.at(-1)).toBe(3_000);
  },
);

test('the event stream throws if the server refuses it', async () => {
  await using server = await streamServer((_request, response) => {
    response
      .writeHead(422)
      .end(JSON.stringify({ error: { code: 'validation_failed', message: 'M', fix: 'F', docs: 'D' } }));
  });
  const client = createClient({ apiKey: TEST_KEY, baseUrl: server.url });
  await expect(client.events.follow({ lastEventId: 'evt_x' }).next()).rejects.toMatchObject({
    code: 'validation_failed',
    status: 422,
  });
});

test('the event stream retries if the response has another content type', async () => {
  await using server = await streamServer((_request, response, count) => {
    if (count === 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else begin(response, frame(ids[1]));
  });
  const client = createClient({ apiKey: TEST_KEY, baseUrl: server.url, sleep: async () => undefined });
  const followed = client.events.follow();
  expect((await followed.next()).value).toMatchObject({ id: ids[1] });
  await followed.return();
});

test('the event stream yields events of an emulator as they happen, until the signal aborts', async () => {
  const emulator = await startEmulator();
  const client = createClient({ apiKey: emulator.keys.test, baseUrl: emulator.url });
  const ending = new AbortController();
  const followed = client.events.follow({ type: 'domain.created', signal: ending.signal });
  const first = followed.next();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { id } = await client.domains.create({ hostname: 'careers.acme.com' });
  expect((await first).value).toMatchObject({ type: 'domain.created', domain_id: id });
  ending.abort();
  expect((await followed.next()).done).toBe(true);
  await emulator.close();
});

test('the event stream throws after a reset of the emulator, because it cannot continue from the last event', async () => {
  const emulator = await startEmulator();
  const client = createClient({ apiKey: emulator.keys.test, baseUrl: emulator.url });
  await client.domains.create({ hostname: 'careers.acme.com' });
  const [event] = (await client.events.list()).data;
  const next = client.events.follow({ lastEventId: event?.id ?? 'none' }).next();
  await emulator.reset();
  await expect(next).rejects.toMatchObject({ code: 'validation_failed', status: 422 });
  await emulator.close();
});

test('the event stream waits longer before each reconnection, even if it sends frames and ends cleanly', async () => {
  await using server = await streamServer((_request, response, count) => {
    begin(response, frame(ids[count % 4]));
    response.end();
  });
  const waitsMs: number[] = [];
  const ending = new AbortController();
  const sleep = async (waitMs: number) => {
    waitsMs.push(waitMs);
    if (waitsMs.length === 8) ending.abort();
  };
  const client = createClient({ apiKey: TEST_KEY, baseUrl: server.url, sleep });
  for await (const _ of client.events.follow({ signal: ending.signal }));
  expect(waitsMs).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(server.asked).toHaveLength(8);
});

test('the event stream waits only briefly after a connection that lasted', async () => {
  await using server = await streamServer((_request, response, count) => {
    begin(response, frame(ids[count % 4]));
    response.end();
  });
  const waitsMs: number[] = [];
  const ending = new AbortController();
  let now = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  const sleep = async (waitMs: number) => {
    waitsMs.push(waitMs);
    if (waitsMs.length === 4) ending.abort();
  };
  const client = createClient({ apiKey: TEST_KEY, baseUrl: server.url, sleep });
  for await (const _ of client.events.follow({ signal: ending.signal }))
    if (waitsMs.length === 2) now += 60_000;
  clock.mockRestore();
  expect(waitsMs).toEqual([500, 1000, 500, 1000]);
});
