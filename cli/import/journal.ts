import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { ChangedDomain } from '../../shared/schema/domain.ts';
import { usageError } from '../runtime/cli-error.ts';

/** The outcome for one hostname: the created domain, or the API's error. */
export type ImportEntry =
  | { hostname: string; id: string; status: string; dns: ChangedDomain['dns']; warnings: unknown[] }
  | { hostname: string; error: { code: string; message: string; fix: string } };

/** Identifies the app for which a result file was written, so that an import into another app does not skip hostnames. */
export interface ImportTarget {
  base_url: string;
  app_id: string;
  mode: string;
}

/** The result file: JSON lines that are only appended. A later line for a hostname replaces an earlier line. */
export interface Journal {
  entries: ReadonlyMap<string, ImportEntry>;
  append(entry: ImportEntry): void;
  /** Flushes the file to the disk and closes it. */
  close(): void;
}

/**
 * Opens or creates a result file. Removes an incomplete last line that a killed run left. Lines are not flushed to the disk: creating a
 * domain is idempotent, so a lost line costs only a repeated request.
 * @throws CliError `usage` if the file belongs to another app or is not a result file.
 */
export function openJournal(file: string, target: ImportTarget): Journal {
  const { entries, bytes } = existsSync(file) ? readJournal(file, target) : { entries: new Map(), bytes: 0 };
  // Only the owner can read the file, because it lists the app's customers.
  const handle = openSync(file, 'a', 0o600);
  ftruncateSync(handle, bytes);
  const write = (line: unknown) => void writeSync(handle, `${JSON.stringify(line)}\n`);
  if (bytes === 0) write({ import: target });
  return {
    entries,
    append(entry) {
      entries.set(entry.hostname, entry);
      write(entry);
    },
    close() {
      fsyncSync(handle);
      closeSync(handle);
    },
  };
}

function readJournal(
  file: string,
  target: ImportTarget,
): { entries: Map<string, ImportEntry>; bytes: number } {
  const content = readFileSync(file);
  const bytes = content.lastIndexOf('\n') + 1;
  const entries = new Map<string, ImportEntry>();
  const expected = JSON.stringify({ import: target });
  // A run that was killed right after its start leaves an empty file or a part of the first line.
  if (bytes === 0 && expected.startsWith(content.toString())) return { entries, bytes };
  const [head = '', ...lines] = content.toString('utf8', 0, bytes).split('\n').slice(0, -1);
  if (head !== expected) {
    throw usageError(
      `${file} is not the result of an import into this app.`,
      'Name another file with --result, or use the key of the earlier import.',
    );
  }
  for (const [index, line] of lines.entries()) {
    const entry = parseEntry(line);
    if (entry === null) {
      // Line 1 is the header, so the entries begin at line 2.
      throw usageError(
        `Line ${index + 2} of ${file} is damaged.`,
        'Delete that line, then run the command again.',
      );
    }
    entries.set(entry.hostname, entry);
  }
  return { entries, bytes };
}

function parseEntry(line: string): ImportEntry | null {
  try {
    return JSON.parse(line) as ImportEntry;
  } catch {
    return null;
  }
}
