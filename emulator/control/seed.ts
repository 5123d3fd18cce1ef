import * as z from 'zod';
import { readSeed, seedJsonSchema } from '../seed/seed-schema.ts';
import { type ControlAction, readAs } from './action.ts';

/** Makes the emulator as a seed says, all of it or nothing. */
export const seed: ControlAction = async ({ emulator, body }) => ({
  apps: await emulator.applySeed(readSeed(body)),
});

/** The same of a text, whose errors name its lines. */
export const seedText: ControlAction = async ({ emulator, body }) => {
  const { text, name } = readAs(textSchema, body);
  const { readSeedText } = await import('../seed/read-seed.ts');
  const { seed: read, explain } = readSeedText(text, name);
  const apps = await emulator.applySeed(read).catch((error: unknown) => {
    throw explain(error);
  });
  return { apps };
};

const textSchema = z.strictObject({
  text: z.string(),
  name: z.string().min(1).max(255).default('seed.yaml'),
});

/** For editors: `# yaml-language-server: $schema=…`. */
export const getSeedSchema: ControlAction = async () => seedJsonSchema();
