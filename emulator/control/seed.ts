import * as z from 'zod';
import { readSeedText } from '../seed/read-seed.ts';
import { readSeed, seedJsonSchema } from '../seed/seed-schema.ts';
import { type ControlAction, readAs } from './action.ts';

/** Applies all of a seed, or nothing. */
export const seed: ControlAction = async ({ emulator, body }) => ({
  apps: await emulator.applySeed(readSeed(body)),
});

/** Applies a seed given as text, so that errors can name its lines. */
export const seedText: ControlAction = async ({ emulator, body }) => {
  const { text, name } = readAs(textSchema, body);
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

/** Returns the JSON Schema of a seed, for editors: `# yaml-language-server: $schema=…`. */
export const getSeedSchema: ControlAction = async () => seedJsonSchema();
