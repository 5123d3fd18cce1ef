import type { RequestListener, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { emulatorSettings } from '../../emulator/emulator-settings.ts';
import { closeServer, listen } from '../../service/listening.ts';
import { createIds, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createApiServer } from '../../shared/http/api-server.ts';
import { askUntilLast, parseAnswer, rawVisitor, send } from '../edge/wire/raw-visitor.ts';

/** Starts a server whose listener fails in the given way, and records what it logs. */
async function failing(listener: (...exchange: Parameters<RequestListener>) => unknown) {
  const logged: unknown[] = [];
  const ignore = () => undefined;
  const log = {
    info: ignore,
    warn: ignore,
    error: (fields: Record<string, unknown>) => void logged.push(fields.error),
  };
  const settings = emulatorSettings('http://127.0.0.1');
  const server = createApiServer({
    context: { settings, ids: createIds(systemClock, systemRandom), log },
    listener,
  });
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${port}`, logged, [Symbol.asyncDispose]: () => closeServer(server, 0) };
}

const failure = new Error('it could not be loaded');

test.each([
  ['rejects', () => Promise.reject(failure)],
  [
    'throws',
    () => {
      throw failure;
    },
  ],
])('the API responds with the error envelope if a listener %s, and logs the failure', async (_, listener) => {
  await using server = await failing(listener);
  const answer = await fetch(server.url);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    error: { code: 'internal_error', request_id: expect.stringMatching(/^req_/) },
  });
  expect(server.logged).toEqual([failure]);
});

test('the API ends the connection if the listener fails during a response, so that the response cannot look complete', async () => {
  await using server = await failing(async (_, res) => {
    res.writeHead(200, { 'content-length': '10' }).write('half');
    throw failure;
  });
  await expect(fetch(server.url).then((answer) => answer.text())).rejects.toThrow();
  expect(server.logged).toEqual([failure]);
});

test('the API keeps an idle connection open for longer than a load balancer does', async () => {
  await using server = await failing((_, res) => res.end());
  const response = await fetch(server.url);
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

test('the API accepts a request target in absolute-form, whose authority replaces the Host', async () => {
  await using server = await failing((req, res) => res.end(`${req.headers.host} ${req.url}`));
  const { port } = new URL(server.url);
  const bytes = 'GET http://api.example:81/v1/apps?a=b HTTP/1.1\r\nHost: other.example\r\n\r\n';
  expect((await send(Number(port), bytes)).body).toBe('api.example:81 /v1/apps?a=b');
});

test('the API responds to a request before it refuses the malformed bytes that follow', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  await using server = await failing((req, res) => req.resume().on('end', () => arrived.resolve(res)));
  using client = await rawVisitor(Number(new URL(server.url).port));
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx');
  const res = await arrived.promise;
  client.write('\x00garbage\r\n\r\n');
  client.write('\x00garbage\r\n\r\n');
  // Once this second connection has a response, the server has also parsed the bytes of the first connection.
  await fetch(server.url, { method: 'HEAD', signal: AbortSignal.timeout(500) }).catch(() => undefined);
  res.end('the first');
  const text = await client.ended();
  expect(text.match(/HTTP\/1\.1 \d+|the first|"code":"\w+"/g)).toEqual([
    'HTTP/1.1 200',
    'the first',
    'HTTP/1.1 400',
    '"code":"invalid_request"',
  ]);
});

test('every response of the API prevents a browser from guessing its type', async () => {
  await using server = await failing((_, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  expect((await fetch(server.url)).headers.get('x-content-type-options')).toBe('nosniff');
  const refused = await send(Number(new URL(server.url).port), 'garbage\r\n\r\n');
  expect(refused).toMatchObject({ status: 400, headers: { 'x-content-type-options': 'nosniff' } });
});

test('an API server that is closing responds to each request on its open connections', async () => {
  const settings = emulatorSettings('http://127.0.0.1');
  const log = { info: () => undefined, warn: () => undefined, error: console.error };
  const server = createApiServer({
    context: { settings, ids: createIds(systemClock, systemRandom), log },
    listener: (_req, res) => void res.end('answer'),
  });
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  let answered = 0;
  const request = 'GET /v1/domains HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const lasts = Array.from({ length: 15 }, () => askUntilLast(port, request, () => (answered += 1)));
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(60);
  const closed = closeServer(server, 60_000);
  for (const last of await Promise.all(lasts)) expect(parseAnswer(last).headers['connection']).toBe('close');
  await closed;
});
