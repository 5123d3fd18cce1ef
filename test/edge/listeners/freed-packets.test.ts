import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { createIds, systemRandom } from '../../../shared/adapters/system.ts';
import { EDGE_LIMITS } from '../../../shared/edge/edge-limits.ts';
import { http1Settings } from '../../../shared/edge/listeners/http1-settings.ts';
import { serveVisitors, type VisitorHandler } from '../../../shared/edge/listeners/visitor-server.ts';
import { clock } from '../edge-under-test.ts';

const HANDLER: VisitorHandler = {
  findRoute: () => null,
  serve: () => true,
  seen: () => undefined,
  ended: () => undefined,
  close: async () => undefined,
};

/** Creates a visitor server. `left` lists how many bytes of each packet that Node's parser refused are still in memory. */
function serverUnderTest() {
  const server: Server = createServer(http1Settings(EDGE_LIMITS));
  const visitors = serveVisitors(server, {
    ids: createIds(clock, systemRandom),
    limits: EDGE_LIMITS,
    handler: HANDLER,
  });
  const left: number[] = [];
  server.on('clientError', ({ rawPacket }: Error & { rawPacket: Buffer }) => left.push(rawPacket.byteLength));
  return { visitors, left, [Symbol.asyncDispose]: () => visitors.close() };
}

test('the edge frees the memory of each packet from a visitor that keeps writing after a refused request', async () => {
  await using under = serverUnderTest();
  const { port } = await under.visitors.listen(0, '127.0.0.1');
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end(`GET / HTTP/1.1\r\nHost: a.test\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`);
  socket.resume();
  await closed;
  expect(under.left).toContain(0);
  expect(new Set(under.left)).toEqual(new Set([0]));
});

test('the edge does not free the memory of a refused packet that shares its buffer with other data', async () => {
  await using under = serverUnderTest();
  const packet = Buffer.from('nonsense\r\n\r\n');
  expect(packet.buffer.byteLength).toBeGreaterThan(packet.byteLength);
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const accepted = Object.assign(socket, { destroySoon: () => socket.destroy() });
  under.visitors.accept(accepted as unknown as Socket);
  socket.push(packet);
  await closed;
  expect(under.left).toEqual([packet.byteLength]);
});
