import * as z from 'zod';
import { readSeed, seedJsonSchema } from '../seed/seed-schema.ts';
import { type ControlAction, readAs } from './action.ts';
import { ControlError } from './control-error.ts';

/** Makes the emulator as a seed says, all of it or nothing. */
export const seed: ControlAction = async ({ emulator, body }) => ({
  apps: await emulator.applySeed(readSeed(body)),
});

/** The same of a text, whose errors name its lines. */
export const seedText: ControlAction = async ({ emulator, body }) => {
  const { text, name } = readAs(textSchema, body);
  const { readSeedText, SeedError } = await import('../seed/read-seed.ts');
  try {
    const { seed: read, explain } = readSeedText(text, name);
    const applied = emulator.applySeed(read).catch((error: unknown) => {
      throw explain(error);
    });
    return { apps: await applied };
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    const fix = 'Correct these lines; what can stand there is at /_emulator/seed.schema.json.';
    throw new ControlError(422, error.code, { message: error.message, fix });
  }
};

const textSchema = z.strictObject({
  text: z.string(),
  name: z.string().min(1).max(255).default('seed.yaml'),
});

/** For editors: `# yaml-language-server: $schema=…`. */
export const getSeedSchema: ControlAction = async () => seedJsonSchema();
