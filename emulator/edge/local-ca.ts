import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '../../shared/core/instant.ts';
import type { ServedCertificate } from '../../shared/ports/certificates.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { withFileLock } from '../file-lock.ts';
import {
  issueFrom,
  type LocalAuthority,
  makeAuthority,
  readAuthority,
  writeAuthority,
} from './local-authority.ts';

/** The CA of the emulator's edge, which is created when it is first needed. Clients must be configured to trust it. */
export interface LocalCa {
  /** The CA certificate in PEM. */
  readonly certificate: string;
  /** The file of the CA certificate, which is written when it is first needed. Null if the CA is only in memory. */
  readonly file: string | null;
  /** Issues a certificate for a hostname that the edge serves. */
  issue(hostname: string): ServedCertificate;
}

/** Thrown if a file of the authority cannot be read or written. */
export class CaError extends Error {
  readonly code = 'ca_unusable';

  constructor(file: string, cause: unknown) {
    super(`${file} cannot be used: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = 'CaError';
  }
}

/** An authority is replaced this long before it expires, so that no running emulator presents an expired certificate. */
const REPLACED_BEFORE_MS = 7 * DAY_MS;

/**
 * Returns a CA whose key is read or created when it is first needed. Each member throws CaError if the folder cannot be used.
 * @param folder a folder that all emulators of a user share, so that the user trusts only one CA (`decisions/0017`). Null keeps the CA in
 * memory.
 * @param clock the machine's clock, by which browsers check certificates.
 */
export function createLocalCa(folder: string | null, clock: Clock): LocalCa {
  let known: LocalAuthority | null = null;

  function authority(): LocalAuthority {
    if (known === null || !lasts(known)) {
      known = folder === null ? makeAuthority(clock.now()) : storedAuthority(folder);
    }
    return known;
  }

  function lasts({ not_after }: LocalAuthority): boolean {
    return clock.now() < not_after - REPLACED_BEFORE_MS;
  }

  /** Returns the stored authority, or creates one. A lock prevents two processes from creating one at the same time. */
  function storedAuthority(caFolder: string): LocalAuthority {
    const file = path.join(caFolder, KEY_FILE);
    const kept = using(file, () => {
      const there = readLasting(file);
      return there ?? withFileLock(`${file}.lock`, clock, () => readLasting(file) ?? replace(file));
    });
    const shown = path.join(caFolder, CERTIFICATE_FILE);
    using(shown, () => place(shown, kept.certificate, FOR_ANYBODY));
    return kept;
  }

  function readLasting(file: string): LocalAuthority | null {
    const text = readIfThere(file);
    const read = text === null ? null : readAuthority(text);
    return read !== null && lasts(read) ? read : null;
  }

  function replace(file: string): LocalAuthority {
    const made = makeAuthority(clock.now());
    place(file, writeAuthority(made), FOR_ITS_OWNER);
    return made;
  }

  return {
    get certificate() {
      return authority().certificate;
    },
    file: folder === null ? null : path.join(folder, CERTIFICATE_FILE),
    issue: (hostname) => issueFrom(authority(), hostname, clock.now()),
  };
}

/** The file with the CA's key and certificate. Both are in one file, so that a reader always gets a matching pair. */
const KEY_FILE = 'emulator-ca.key';
const CERTIFICATE_FILE = 'emulator-ca.pem';

function using<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new CaError(file, cause);
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const FOR_ITS_OWNER = 0o600;
/** The certificate file is readable by everyone, so that a `sudo` command can read it. */
const FOR_ANYBODY = 0o644;

/** Replaces a file in one step: a reader sees either the old file or the new file. */
function place(file: string, text: string, mode: number): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
