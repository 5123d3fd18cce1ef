import { expect, test } from 'vitest';
import { runMany } from '../emulator/running/many-emulators.ts';

const NOTHING = { processes: [], ports: [], files: [] };

test('two hundred emulators, twenty at a time, each run a full life cycle and leave nothing behind', async () => {
  expect(await runMany(200, 20)).toEqual(NOTHING);
});
