import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { emulatorSettings } from '../../emulator/emulator-settings.ts';
import { createIds, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createApiServer } from '../../shared/http/api-server.ts';
import { boundConnections } from '../../shared/http/bound-connections.ts';

const PATIENT = { timeout: 10_000 };

async function serverUnderTest(bounds: Parameters<typeof boundConnections>[2]) {
  const seen = { requests: 0, dropped: 0 };
  const ignore = () => undefined;
  const server = createApiServer({
    context: {
      settings: emulatorSettings('http://127.0.0.1'),
      ids: createIds(systemClock, systemRandom),
      log: { info: ignore, warn: ignore, error: ignore },
    },
    listener() {
      seen.requests += 1;
    },
  });
  boundConnections(server, () => seen.dropped++, bounds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (): Socket =>
    connect((server.address() as AddressInfo).port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
  return { seen, open };
}

test('the API listener closes connections beyond the limit of a network, and accepts a connection again later', async () => {
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

test.each([
  ['without an expectation', ''],
  ['with an unknown expectation', 'expect: x\r\n'],
  ['that ask before they send a body', 'expect: 100-continue\r\n'],
])('the API listener closes a connection that pipelines too many requests %s', async (_, header) => {
  const { seen, open } = await serverUnderTest({ perNetworkMax: 10, pipelinedMax: 3 });
  const request = `GET / HTTP/1.1\r\nhost: a\r\n${header}\r\n`;
  const patient = open();
  patient.write(request.repeat(3));
  await expect.poll(() => seen.requests, PATIENT).toBe(3);
  const hasty = open();
  hasty.write(request.repeat(1_000));
  // `once` would reject here, because the server closes with unread bytes, which resets the connection.
  await new Promise((resolve) => hasty.once('close', resolve));
  expect(seen).toEqual({ requests: 6, dropped: 1 });
  expect(patient.destroyed).toBe(false);
});
