import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readDuration } from '../../shared/core/instant.ts';
import { decodeText } from '../../shared/core/text/decode-text.ts';
import { usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

/** Reads a duration from the command line, in milliseconds. @throws CliError `usage` */
export function durationMs(text: string): number {
  const durationMs = readDuration(text);
  if (durationMs !== null) return durationMs;
  throw usageError(`"${text}" is not a duration.`, 'Give a duration such as 90s, 10m, 1h30m, 72h or 2d.');
}

/** Reads the values of a repeatable `name=value` flag into an object. @throws CliError `usage` */
export function pairs(values: readonly string[], flag: string): Record<string, string> {
  const entries = values.map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw usageError(`${flag} needs name=value, not "${text}".`, `Write it as ${flag} name=value.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  // `fromEntries` defines properties instead of assigning them, so `__proto__` becomes an ordinary property.
  return Object.fromEntries(entries);
}

/** Checks an id before it becomes part of a URL path. @throws CliError `usage` */
export function plainId(text: string, prefix: 'key' | 'evt'): string {
  if (new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`).test(text)) return text;
  throw usageError(
    `"${text}" is not an id.`,
    `Ids begin with ${prefix}_. Run nameplate ${prefix === 'key' ? 'keys' : 'events'} list to see them.`,
  );
}

/** Returns an instant in milliseconds since the epoch. Its argument is the server's current time, from which durations are subtracted. */
export type SinceInstant = (nowMs: number) => number;

/** Reads the value of `--since`: a time with a time zone, a date in UTC, or a duration before now. @throws CliError `usage` */
export function readInstant(text: string): SinceInstant {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    const beforeMs = readDuration(text);
    if (beforeMs !== null) return (nowMs) => nowMs - beforeMs;
    throw usageError(
      `"${text}" is neither a duration nor a time.`,
      'Give a duration such as 90s, 1h30m or 2d, a date such as 2026-11-20, or a time such as 2026-11-20T08:00:00Z.',
    );
  }
  // Refuse a time without a zone: JavaScript reads it as local time, but everything that we print is in UTC.
  if (text.includes(':') && !/(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text))
    throw usageError(
      `${text} has no time zone.`,
      `Add one: ${text}Z for UTC, or an offset such as ${text}+01:00.`,
    );
  return () => at;
}

/**
 * Reads a file of text, or stdin for `-`.
 *
 * @throws CliError `usage` if the text is not UTF-8; the system's error if the file cannot be read.
 */
export async function readText(file: string, { stdin, cwd }: World): Promise<string> {
  const bytes = file === '-' ? await buffer(stdin) : readFileSync(path.resolve(cwd, file));
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded.text;
  throw usageError(
    `${file === '-' ? 'stdin' : file} ${decoded.problem}.`,
    'Convert it, then run the command again.',
  );
}

/** Reads the JSON document of a file, or of stdin for `-`. @throws CliError `usage` with the fix `fix` if the text is not JSON. */
export async function readJsonInput(file: string, world: World, fix: string): Promise<unknown> {
  const content = await readText(file, world);
  try {
    return JSON.parse(content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`${file === '-' ? 'stdin' : file} is not JSON: ${reason}.`, fix);
  }
}
