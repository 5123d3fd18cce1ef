import { expect, test } from 'vitest';
import { startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { emptyHome, startBin } from '../bin-process.ts';
import { keyFor } from '../run-cli.ts';

/** Number of events before the command starts. One page of the API has fewer events. */
const BEFORE = 40;
const AFTER = 10;

test('with a frozen emulator clock, events tail prints each new event once and no earlier event', async () => {
  const emulator = await startEmulator({ clock: 'frozen' });
  try {
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });
    const create = async (hostname: string) => (await client.domains.create({ hostname })).id;
    for (let n = 0; n < BEFORE; n++) await create(`before-${n}.acme.com`);
    await using bin = startBin(['events', 'tail', '--json'], {
      ...emptyHome(),
      ...keyFor(emulator.url, emulator.keys.test),
    });
    const seen = () =>
      bin
        .stdout()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).hostname);
    // Creates events until the command prints one, which shows that the command follows the stream.
    for (let n = 0; n < 100 && seen().length === 0; n++) {
      await create(`begin-${n}.acme.com`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const added = Array.from({ length: AFTER }, (_, n) => `after-${n}.acme.com`);
    for (const hostname of added) await create(hostname);
    await expect.poll(() => seen().filter((hostname) => hostname.startsWith('after'))).toHaveLength(AFTER);
    expect(seen().toSorted()).toEqual([...new Set(seen())].toSorted());
    expect(seen()).toEqual(expect.arrayContaining(added));
    expect(seen().filter((hostname) => hostname.startsWith('before'))).toEqual([]);
  } finally {
    await emulator.close();
  }
});
