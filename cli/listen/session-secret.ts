import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeSigningSecret } from '../../shared/core/webhooks/signature.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

const NAME = 'NAMEPLATE_WEBHOOK_SECRET';
const LINE = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${NAME}[ \\t]*=[ \\t]*(.*?)[ \\t]*$`, 'm');

/**
 * Returns the secret that signs this session's events, which is never the app's own secret. With an env file, reads the secret from the
 * file, or creates one and stores it there. Later sessions use the same secret, so a receiver that reads the file needs no restart.
 * @throws CliError `usage` if the file has another value under the same name, or cannot be read and written.
 */
export function sessionSecret(envFile: string | undefined, { cwd }: World): string {
  const secret = makeSigningSecret(randomBytes);
  if (envFile === undefined) return secret;
  const file = path.resolve(cwd, envFile);
  const text = readOrEmpty(file);
  const value = LINE.exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, '$2');
  if (value !== undefined && /^whsec_[A-Za-z0-9+/]+=*$/.test(value)) return value;
  if (value) {
    throw usageError(
      `${NAME} in ${envFile} is not a signing secret.`,
      'Remove the line, or name another file. The line is not overwritten.',
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

/** Writes the secret into the variable's line if the file has one, else appends a line. Only the owner can read a new file. */
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
  return new CliError('usage', `Cannot read and write ${file}.`, { fix: 'Name another file.', cause });
}
