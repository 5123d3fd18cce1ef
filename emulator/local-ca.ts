import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '../shared/core/instant.ts';
import type { ServedCertificate } from '../shared/ports/certificate-source.ts';
import type { Clock } from '../shared/ports/clock.ts';
import {
  type Authority,
  issueFrom,
  makeAuthority,
  readAuthority,
  writeAuthority,
} from './local-authority.ts';

/** The certificate authority of the emulator's edge, made when it is first needed. Nobody trusts it who was not told to. */
export interface LocalCa {
  /** In PEM. */
  readonly certificate: string;
  /** Where the certificate is kept, once it was needed; null in memory. */
  readonly file: string | null;
  /** @param hostname one that the edge serves. */
  issue(hostname: string): ServedCertificate;
}

/** Another one takes its place so long before its end, so that no emulator outlives what it shows. */
const REPLACED_BEFORE_MS = 7 * DAY_MS;

/**
 * @param folder shared by all emulators of a user, who then has one authority to trust (`decisions/0017`); null keeps it in memory.
 * @param clock of the machine: browsers hold certificates against theirs.
 */
export function createLocalCa(folder: string | null, clock: Clock): LocalCa {
  let known: Authority | null = null;

  function authority(): Authority {
    if (known === null || !lasts(known)) {
      known = folder === null ? makeAuthority(clock.now()) : keptAuthority(folder);
    }
    return known;
  }

  function lasts({ not_after }: Authority): boolean {
    return clock.now() < not_after - REPLACED_BEFORE_MS;
  }

  /** The one that is there, else a new one; where two processes make one, the first counts. */
  function keptAuthority(kept_in: string): Authority {
    const file = path.join(kept_in, KEY_FILE);
    const text = readIfThere(file);
    let kept = text === null ? null : readAuthority(text);
    if (kept === null || !lasts(kept)) {
      // Only what is of no use: another process may have placed its own since.
      if (text !== null) rmSync(file, { force: true });
      placeFirst(file, writeAuthority(makeAuthority(clock.now())));
      kept = readAuthority(readFileSync(file, 'utf8'));
    }
    if (kept === null) throw new Error(`${file} holds no certificate authority`);
    placeInstead(path.join(kept_in, CERTIFICATE_FILE), kept.certificate);
    return kept;
  }

  return {
    get certificate() {
      return authority().certificate;
    },
    file: folder === null ? null : path.join(folder, CERTIFICATE_FILE),
    issue: (hostname) => issueFrom(authority(), hostname, clock.now()),
  };
}

/** The key and its certificate together, so that nobody ever sees the one without the other. */
const KEY_FILE = 'emulator-ca.key';
const CERTIFICATE_FILE = 'emulator-ca.pem';

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a file that only its owner can read, whole, unless there is one. */
function placeFirst(file: string, text: string): void {
  withDraft(file, text, 0o600, (draft) => {
    try {
      linkSync(draft, file);
    } catch (error) {
      // Another process was first.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  });
}

/** Anybody may read it, sudo without a home of ours included. */
function placeInstead(file: string, text: string): void {
  withDraft(file, text, 0o644, (draft) => renameSync(draft, file));
}

function withDraft(file: string, text: string, mode: number, place: (draft: string) => void): void {
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    place(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}
