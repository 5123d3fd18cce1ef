import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startHostileOrigin } from './origin.ts';

test.each([
  ['GET', '1.1'],
  ['HEAD', '1.1'],
  ['GET', '1.0'],
])('the hostile test origin responds with trailers to %s over HTTP/%s', async (method, version) => {
  await using origin = await startHostileOrigin();
  const socket = connect(Number(new URL(origin.url).port), '127.0.0.1');
  socket.write(`${method} /trailers HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\ntrailer: x-after\r\n/i);
});
