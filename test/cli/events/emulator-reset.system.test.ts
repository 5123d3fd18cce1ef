import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { startReceiver } from '../../conformance/receiver.ts';
import { emptyHome, startBin } from '../bin-process.ts';
import { keyFor } from '../run-cli.ts';
import { startCli } from '../running-cli.ts';

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

test("listen continues after the emulator's clock was moved and the emulator was reset", async () => {
  await using receiver = await startReceiver();
  const env = keyFor(emulator.url, emulator.keys.test);
  const create = (hostname: string) =>
    createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test }).domains.create({ hostname });
  await using cli = startCli(['listen', '--forward-to', receiver.url], { env });
  await cli.untilPrinted(/Forwarding/);
  await emulator.clock.advance('90d');
  await create('before.acme.com');
  await cli.untilPrinted(/before\.acme\.com/);
  await emulator.reset();
  await create('after.acme.com');
  await cli.untilPrinted(/The emulator was reset\. Following its new events\./);
  await cli.untilPrinted(/after\.acme\.com/);
  const created = receiver.requests
    .map(({ raw }) => JSON.parse(raw))
    .filter(({ type }) => type === 'domain.created');
  expect(created.map(({ data }) => data.domain.hostname)).toEqual(['before.acme.com', 'after.acme.com']);
  cli.interrupt();
  expect(await cli.ended).toBe(130);
});

test('events tail continues after a clock move and a reset of the emulator, and prints no event twice', async () => {
  const env = { ...emptyHome(), ...keyFor(emulator.url, emulator.keys.test) };
  const create = (hostname: string) =>
    createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test }).domains.create({ hostname });
  await create('past.acme.com');
  await using bin = startBin(['events', 'tail', '--json', '--type', 'domain.created'], env);
  // Creates events until the command prints one, which shows that the command follows the stream.
  for (let n = 0; n < 200 && !bin.stdout().includes('begin-'); n++) {
    await create(`begin-${n}.acme.com`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await emulator.clock.advance('90d');
  await create('before.acme.com');
  await bin.untilStdout(/before\.acme\.com/);
  await emulator.reset();
  await create('after.acme.com');
  await bin.untilStdout(/after\.acme\.com/);
  expect(bin.stderr()).toContain('The emulator was reset. Following its new events.');
  const lines = bin.stdout().trimEnd().split('\n');
  expect(lines).toEqual([...new Set(lines)]);
  expect(lines.filter((line) => line.includes('past.acme.com'))).toEqual([]);
});
