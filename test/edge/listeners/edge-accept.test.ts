import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor } from '../wire/raw-visitor.ts';

it('the edge serves connections passed to `accept`, and closes slow ones among them', async () => {
  await using origin = await originWith((_, res) => res.end('hello'));
  const routes = { [HOST]: route(origin.url) };
  await using underTest = await edgeWith(routes, { limits: { headers_timeout_ms: 200 } });
  const door = createServer((socket) => underTest.edge.accept?.(socket)).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  using visitor = await rawVisitor(port);
  visitor.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  expect(parseAnswer(await visitor.ended())).toMatchObject({ status: 200 });
  using slow = await rawVisitor(port);
  slow.write('GET / HTTP/1.1\r\n');
  expect(parseAnswer(await slow.ended())).toMatchObject({ status: 408 });
  door.close();
});
