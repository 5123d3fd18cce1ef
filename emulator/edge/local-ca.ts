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

/** The certificate authority of the emulator's edge, created when first needed. Clients must be told to trust it. */
export interface LocalCa {
  /** Certificate in PEM. */
  readonly certificate: string;
  /** File of the certificate, written when first needed; null in memory. */
  readonly file: string | null;
  /** Issues a certificate. @param hostname a hostname that the edge serves. */
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
 * Creates the certificate authority lazily. Its members throw CaError if the folder cannot be used.
 * @param folder shared by all emulators of a user, who then has one authority to trust (`decisions/0017`); null keeps it in memory.
 * @param clock of the machine, which browsers check certificates against.
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

  /** Returns the stored authority, or creates one. A lock makes processes take turns, so that all use the first one created. */
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

/** Holds the key and its certificate together, so that a reader always sees a matching pair. */
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
/** Readable by everyone, so that `sudo` commands can read it without this user's home folder. */
const FOR_ANYBODY = 0o644;

/** Replaces a file in one step: a reader sees either the old one or the new one. */
function place(file: string, text: string, mode: number): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
