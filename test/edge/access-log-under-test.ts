import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessLogSettings } from '../../service/settings/access-log-settings.ts';

export type AccessLine = Readonly<Record<string, string | number>>;

export interface LogUnderTest extends Disposable {
  file: string;
  settings: AccessLogSettings;
  /** Waits until the log has `count` lines with this value in the field, and returns them. An engine writes its lines after a second. */
  linesOf(field: string, value: string | number, count?: number): Promise<AccessLine[]>;
}

/** Creates the settings of an access log in a folder of its own. */
export function logUnderTest(more: Partial<AccessLogSettings> = {}): LogUnderTest {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-access-'));
  const file = path.join(folder, 'access.log');
  return {
    file,
    settings: { target: { kind: 'file', file }, sample: 1, query: false, ...more },
    async linesOf(field, value, count = 1) {
      for (let waitedMs = 0; ; waitedMs += STEP_MS) {
        const found = readLines(file).filter((line) => line[field] === value);
        if (found.length >= count || waitedMs >= PATIENCE_MS) return found;
        await delay(STEP_MS);
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

const STEP_MS = 25;
const PATIENCE_MS = 10_000;

/** Reads the complete lines of an access log. @throws if a line is not JSON, or contains a byte that is not printable ASCII. */
export function readLines(file: string): AccessLine[] {
  const text = readFileSync(file, 'latin1');
  if (!/^[\x20-\x7e\n]*$/.test(text))
    throw new Error(`The log has other bytes than printable ASCII: ${text}`);
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AccessLine);
}
