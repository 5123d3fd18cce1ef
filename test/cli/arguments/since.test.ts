import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInstant } from '../../../cli/arguments/read-values.ts';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { keyFor, runCli } from '../run-cli.ts';

let emulator: Emulator;
beforeAll(async () => {
  // Nothing listens at this address, so the deliveries fail.
  emulator = await startEmulator({ webhook: 'http://127.0.0.1:9/' });
});
afterAll(() => emulator.close());

const NOW = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['1h', '2026-11-20T11:00:00Z'],
  ['2026-11-19', '2026-11-19T00:00:00Z'],
  ['2026-11-19T10:00Z', '2026-11-19T10:00:00Z'],
  ['2026-11-19 10:00:00Z', '2026-11-19T10:00:00Z'],
  ['2026-11-19T10:00:00+02:00', '2026-11-19T08:00:00Z'],
])('--since %s means the time %s', (text, expected) => {
  expect(readInstant(text)(NOW)).toBe(Date.parse(expected));
});

test.each(['2026-11-19T10:00', '2026-11-19 10:00:00'])(
  '--since %s is refused, because the time has no zone',
  (text) => {
    expect(() => readInstant(text)).toThrow(`${text} has no time zone.`);
  },
);

test.each(['yesterday', '2026-13-40', '5'])(
  '--since %s is refused, and the error shows an example of a duration and of a time',
  (text) => {
    const fix = expect.stringMatching(/duration such as 90s.* time such as 2026-11-20T08:00:00Z/);
    expect(() => readInstant(text)).toThrow(
      expect.objectContaining({ message: `"${text}" is neither a duration nor a time.`, fix }),
    );
  },
);

test("--since subtracts its duration from the time of the emulator's clock, even after that clock was moved", async () => {
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });
  await client.domains.create({ hostname: 'old.acme.com' });
  await emulator.clock.advance('90d');
  const argv = ['events', 'redeliver', '--failed', '--dry-run', '--json'];
  const env = keyFor(emulator.url, emulator.keys.test);
  const found = async (since: string): Promise<string[]> => {
    const { stdout } = await runCli([...argv, '--since', since], { env });
    return JSON.parse(stdout).data.map(({ hostname }: { hostname: string }) => hostname);
  };
  expect(await found('200d')).toContain('old.acme.com');
  expect(await found('1h')).toEqual([]);
});
