import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emulatorUnderTest } from '../running/emulator-under-test.ts';

test('--seed-ids causes the same ids in every run and after a reset, and other ids for another seed', async () => {
  const ids = async (seedIds: string, reset: boolean) => {
    await using underTest = await emulatorUnderTest({ seedIds });
    const { api, emulator } = underTest;
    if (reset) await emulator.reset();
    for (const hostname of ['a.acme.com', 'b.acme.com']) {
      await api('POST /domains', { hostname });
      await api('GET /domains');
    }
    await emulator.clock.untilIdle();
    const { data: events } = (await api('GET /events?limit=100')).body;
    return [
      emulator.appId,
      ...(await api('GET /domains')).body.data.map(({ id }) => id),
      ...events.map(({ id }) => id),
    ];
  };
  const first = await ids('one', false);
  expect(await ids('one', false)).toEqual(first);
  expect(await ids('one', true)).toEqual(first);
  expect(new Set([...first, ...(await ids('two', false))]).size).toBe(2 * first.length);
});

test('--seed-ids never repeats an id in the same state file, even after a restart or an import', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-ids-'));
  const options = { file: path.join(folder, 'state.db'), seedIds: 'one' };
  const seen: string[] = [];
  for (let i = 0; i < 3; i++) {
    await using underTest = await emulatorUnderTest(options);
    const { api, control } = underTest;
    const state = (await control('GET /export')).body;
    seen.push((await api('POST /domains', { hostname: `a${i}.acme.com` })).body.id);
    await control('POST /import', state);
    seen.push((await api('POST /domains', { hostname: `b${i}.acme.com` })).body.id);
  }
  rmSync(folder, { recursive: true });
  expect(new Set(seen).size).toBe(6);
});
