import { seedJsonSchema, seedSchema } from '../seed/seed-schema.ts';
import { type ControlAction, readAs } from './action.ts';

/** Makes the emulator as a seed says, all of it or nothing. */
export const seed: ControlAction = async ({ emulator, body }) => ({
  apps: await emulator.applySeed(readAs(seedSchema, body)),
});

/** For editors: `# yaml-language-server: $schema=…`. */
export const getSeedSchema: ControlAction = async () => seedJsonSchema();
