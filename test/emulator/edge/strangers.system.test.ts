import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../../edge/edge-under-test.ts';
import { expectNoUncaughtError, expectOpen, outlivesStrangers } from '../../edge/listeners/strangers.ts';
import { GOAWAY, rawHttp2 } from '../../edge/wire/raw-http2.ts';
import { openConnections } from '../../fixtures/open-connections.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

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
  outlivesStrangers(async () => {
    const port = portOf(url());
    // The API accepts only its own names in the Host header.
    const host = door === 'api' ? `localhost:${port}` : HOST;
    const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    return { port, request, status, host, servername: door === 'https' ? HOST : undefined };
  });
});

describe('a visitor of the emulator over HTTP/2 cannot stop the emulator', () => {
  expectNoUncaughtError();

  test('the emulator disconnects a visitor that stays connected after GOAWAY, and continues', async () => {
    const port = portOf(underTest.emulator.edgeUrl);
    await expectOpen(port, 0);
    using stranger = await rawHttp2(port, HOST);
    stranger.frame({ type: GOAWAY, payload: Buffer.alloc(8) });
    await expect.poll(() => openConnections(port), { timeout: 25_000 }).toBe(0);
    expect((await underTest.api('GET /domains')).status).toBe(200);
  });
});
