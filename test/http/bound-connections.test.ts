import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { boundConnections } from '../../shared/http/bound-connections.ts';

const PATIENT = { timeout: 10_000 };

async function serverUnderTest(bounds: Parameters<typeof boundConnections>[2]) {
  const seen = { requests: 0, dropped: 0 };
  const server: Server = createServer(() => {
    seen.requests += 1;
  });
  boundConnections(server, () => seen.dropped++, bounds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (): Socket =>
    connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  return { seen, open };
}

test('closes one connection too many of a network, and accepts one again once another has gone', async () => {
  const { seen, open } = await serverUnderTest({ perNetworkMax: 2, pipelinedMax: 32 });
  const kept = [open(), open()];
  await Promise.all(kept.map((socket) => once(socket, 'connect')));
  await once(open(), 'close');
  expect(seen.dropped).toBe(1);
  kept[0]?.destroy();
  const ask = () => {
    open().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    return seen.requests;
  };
  await expect.poll(ask, PATIENT).toBeGreaterThan(0);
});

test('closes a connection that sends without waiting for responses', async () => {
  const { seen, open } = await serverUnderTest({ perNetworkMax: 10, pipelinedMax: 3 });
  const patient = open();
  patient.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3));
  await expect.poll(() => seen.requests, PATIENT).toBe(3);
  const hasty = open();
  hasty.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(4));
  await once(hasty, 'close');
  expect(seen.dropped).toBe(1);
  expect(patient.destroyed).toBe(false);
});
