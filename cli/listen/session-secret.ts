import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeSigningSecret } from '../../shared/core/webhooks/signature.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

const NAME = 'NAMEPLATE_WEBHOOK_SECRET';
const LINE = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${NAME}[ \\t]*=[ \\t]*(.*?)[ \\t]*$`, 'm');

/**
 * The secret that signs what this session forwards: a new one, never the app's. With an env file it is kept there, and taken from
 * there the next time, so that a receiver that has read the file needs no restart.
 * @throws CliError when the file holds something else under its name, or cannot be written.
 */
export function sessionSecret(env_file: string | undefined, { cwd }: World): string {
  const secret = makeSigningSecret(randomBytes);
  if (env_file === undefined) return secret;
  const file = path.resolve(cwd, env_file);
  const text = readOrEmpty(file);
  const value = LINE.exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, '$2');
  if (value !== undefined && /^whsec_[A-Za-z0-9+/]+=*$/.test(value)) return value;
  if (value) {
    throw usageError(
      `${env_file} has a ${NAME} that is no signing secret.`,
      'Remove the line, or name another file: it is not overwritten.',
    );
  }
  write(file, text, `${NAME}=${secret}`);
  return secret;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw unusable(file, error);
  }
}

/** Takes the place of a line without a value, else the end. A new file is its owner's alone. */
function write(file: string, text: string, line: string): void {
  try {
    if (LINE.test(text))
      writeFileSync(
        file,
        text.replace(LINE, () => line),
      );
    else appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`, { mode: 0o600 });
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, cause: unknown): CliError {
  return new CliError('usage', `${file} cannot be read and written.`, { fix: 'Name another file.', cause });
}
