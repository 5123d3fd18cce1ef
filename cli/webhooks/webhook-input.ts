import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { string } from '@oclif/core/flags';
import { usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

/** The flags for a webhook's body and its signing secret. */
export const webhookFlags = {
  body: string({
    summary: 'File with the raw body; - reads stdin',
    helpValue: '<file>',
    required: true,
  }),
  secret: string({
    summary: 'The signing secret. Prefer NAMEPLATE_WEBHOOK_SECRET, which other users cannot see',
    helpValue: 'whsec_…',
  }),
};

/** Returns the unchanged bytes of the file or of stdin. @throws CliError `usage` */
export async function readWebhookBody(file: string, world: World): Promise<Buffer> {
  if (file === '-') return buffer(world.stdin);
  try {
    return readFileSync(path.resolve(world.cwd, file));
  } catch {
    throw usageError(`Cannot read ${file}.`, 'Name a file with the body, or - for stdin.');
  }
}

/** Returns the secret from the flag or the environment. @throws CliError `usage` without one. */
export function secretOf(flag: string | undefined, { env }: World): string {
  const secret = flag ?? env.NAMEPLATE_WEBHOOK_SECRET;
  if (secret) return secret;
  throw usageError(
    'No signing secret given.',
    'Set NAMEPLATE_WEBHOOK_SECRET or use --secret. For an emulator, nameplate emulator status shows it.',
  );
}
