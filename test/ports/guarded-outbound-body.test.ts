import { expect, test } from 'vitest';
import { createOutbound } from '../../shared/adapters/guarded-outbound.ts';
import { rawServer } from '../fixtures/raw-server.ts';

test.each([
  ['whole', 'hello', 5],
  ['cut', 'hel', 3],
  ['not at all', '', 0],
])('the outbound client returns 5 bytes %s if the limit is $2 bytes', async (_, body, answerBytesMax) => {
  await using server = await rawServer({
    request: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
  });
  const outbound = createOutbound({ allowLoopback: true, refusedAddresses: [] });
  const request = {
    method: 'GET',
    url: `http://127.0.0.1:${server.port}/`,
    headers: {},
    timeoutMs: 20_000,
    maxResponseBytes: answerBytesMax,
  } as const;
  expect(await outbound.send({ ...request, keepBody: true })).toMatchObject({ ok: true, body });
  expect(await outbound.send(request)).not.toHaveProperty('body');
  await outbound.close();
});
