import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectNoUncaughtError,
  expectOpen,
  goodVisitor,
  strangePackets,
  TIMINGS,
} from '../../edge/listeners/strangers.ts';
import { GOAWAY, rawHttp2 } from '../../edge/wire/raw-http2.ts';
import { rawVisitor } from '../../edge/wire/raw-visitor.ts';
import { openConnections } from '../../fixtures/open-connections.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

const HOST = 'careers.acme.com';
const folder = mkdtempSync(path.join(tmpdir(), 'strangers-'));
let underTest: EmulatorUnderTest;

beforeAll(async () => {
  underTest = await emulatorUnderTest({ caFolder: folder });
  await underTest.api('POST /domains', { hostname: HOST });
  await underTest.control('POST /clock/advance', { by: '10s' });
});
afterAll(async () => {
  await underTest[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const portOf = (url: string) => Number(new URL(url).port);

describe.each([
  ['the API', () => underTest.emulator.url, '/v1/domains', 401, 'api'],
  ['the edge over HTTP', () => underTest.emulator.edgeUrl, '/', 200, 'http'],
  ['the edge over HTTPS', () => underTest.emulator.edgeUrl, '/', 200, 'https'],
  ['the sandbox origin', () => underTest.emulator.sandboxOrigin, '/', 200, 'http'],
] as const)('%s of the emulator', (_, url, target, status, door) => {
  expectNoUncaughtError();

  describe.each(strangePackets(HOST))('survives %s', (_title, packets) => {
    test.each(TIMINGS)('%s', async (_timing, leave) => {
      const port = portOf(url());
      // The API accepts only its own names as the Host.
      const host = door === 'api' ? `localhost:${port}` : HOST;
      const servername = door === 'https' ? HOST : undefined;
      const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const sent = packets.map((packet) => packet.replaceAll(HOST, host));
      const before = openConnections(port);
      using good = await goodVisitor(port, request, status, servername);
      await good.visit();
      for (let i = 0; i < 5; i++) {
        using stranger = await rawVisitor(port, servername);
        await Promise.all([leave(stranger, sent), good.visit()]);
      }
      await good.visit();
      await expect.poll(() => openConnections(port), { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
    });
  });
});

describe('a visitor over HTTP/2', () => {
  expectNoUncaughtError();

  test('is disconnected if it stays connected after GOAWAY, and the emulator continues', async () => {
    const port = portOf(underTest.emulator.edgeUrl);
    await expectOpen(port, 0);
    using stranger = await rawHttp2(port, HOST);
    stranger.frame({ type: GOAWAY, payload: Buffer.alloc(8) });
    await expect.poll(() => openConnections(port), { timeout: 25_000 }).toBe(0);
    expect((await underTest.api('GET /domains')).status).toBe(200);
  });
});
