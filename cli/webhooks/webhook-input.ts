import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { string } from '@oclif/core/flags';
import { usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

/** The flags of a body and the secret that signs it. */
export const webhookFlags = {
  body: string({
    summary: 'File with the body as it arrived; - reads stdin',
    helpValue: '<file>',
    required: true,
  }),
  secret: string({
    summary: 'The signing secret; NAMEPLATE_WEBHOOK_SECRET by default, which other programs cannot see',
    helpValue: 'whsec_…',
  }),
};

/** The bytes of the file, or of stdin, nothing added or taken. @throws CliError `usage` */
export async function readBody(file: string, world: World): Promise<Buffer> {
  if (file === '-') return buffer(world.stdin);
  try {
    return readFileSync(path.resolve(world.cwd, file));
  } catch {
    throw usageError(`The file ${file} cannot be read.`, 'Name a file with the body, or - for stdin.');
  }
}

/** @throws CliError `usage` */
export function secretOf(flag: string | undefined, { env }: World): string {
  const secret = flag ?? env.NAMEPLATE_WEBHOOK_SECRET;
  if (secret) return secret;
  throw usageError(
    'There is no signing secret.',
    'Set NAMEPLATE_WEBHOOK_SECRET, or give --secret; nameplate emulator status shows that of an emulator.',
  );
}
