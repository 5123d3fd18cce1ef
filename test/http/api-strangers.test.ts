import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { emulatorSettings } from '../../emulator/emulator-settings.ts';
import { closeServer, listen } from '../../service/listening.ts';
import type { ConnectionError } from '../../shared/adapters/owned-server.ts';
import { createIds, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createApiServer } from '../../shared/http/api-server.ts';
import { expectNoUncaughtError, expectOpen, outlivesStrangers } from '../edge/listeners/strangers.ts';
import { parseAnswer, rawVisitor } from '../edge/wire/raw-visitor.ts';

expectNoUncaughtError();

const GET = 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n';
const TUNNEL = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n';

/** Starts a server that responds once `wait` resolves. */
async function apiUnderTest(wait: () => Promise<unknown> = turn) {
  const ignore = () => undefined;
  const errors: ConnectionError[] = [];
  const server = createApiServer(
    {
      context: {
        settings: emulatorSettings('http://127.0.0.1'),
        ids: createIds(systemClock, systemRandom),
        log: { info: ignore, warn: ignore, error: ignore },
      },
      async listener(_req, res) {
        await wait();
        // Sets Content-Length, as the API's responses do.
        res.writeHead(200, { 'content-length': '5' });
        res.write('hello');
        res.end();
      },
    },
    { onConnectionError: (error) => errors.push(error) },
  );
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  return { port, errors, [Symbol.asyncDispose]: () => closeServer(server, 0) };
}

describe('the API survives the packets of strangers', () => {
  outlivesStrangers(async () => {
    let turnsBefore = 0;
    const server = await apiUnderTest(async () => {
      for (let i = 0; i < turnsBefore; i++) await turn();
    });
    return {
      ...server,
      request: GET,
      status: 200,
      connectionErrors: server.errors,
      prepare: (stranger) => {
        turnsBefore = stranger % 4;
      },
    };
  });
});

test('the API reports a connection error only once, with the kind peer', async () => {
  await using server = await apiUnderTest();
  using stranger = await rawVisitor(server.port);
  stranger.write(TUNNEL);
  stranger.reset();
  await expect
    .poll(() => server.errors)
    .toEqual([
      {
        kind: 'peer',
        error: expect.objectContaining({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) }),
      },
    ]);
});

test('the API ends a connection with CONNECT after an unfinished request, without a response to either', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using server = await apiUnderTest(() => promise);
  using visitor = await rawVisitor(server.port);
  visitor.write(GET + GET + TUNNEL);
  expect(await visitor.ended()).toBe('');
  resolve();
  await expectOpen(server.port, 0);
});

test('the API accepts no request after a request whose Upgrade header it ignores', async () => {
  await using server = await apiUnderTest();
  using visitor = await rawVisitor(server.port);
  visitor.write(GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n') + GET);
  const text = await visitor.ended();
  expect(parseAnswer(text)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test('the API sends 100 Continue to a client that waits for it before the body, and then the response', async () => {
  await using server = await apiUnderTest();
  using visitor = await rawVisitor(server.port);
  visitor.write('POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n');
  expect(await visitor.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
  visitor.write('{}');
  expect(parseAnswer(await visitor.until((text) => text.endsWith('hello')))).toMatchObject({ status: 200 });
});
