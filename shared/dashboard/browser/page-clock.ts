import { isCertificateValid } from '../../core/look/status-look.ts';
import type { DomainResource } from '../../schema/domain.ts';

/** The server's time in the latest response. */
interface PageClock {
  /** Milliseconds since the epoch. */
  atMs: number;
  /** The time of the response, as `performance.now()`. */
  heardAtMs: number;
  /** False while the emulator's clock is frozen. */
  runs: boolean;
}

let clock: PageClock | null = null;

export function setPageClock(atMs: number, runs: boolean): void {
  clock = { atMs, runs, heardAtMs: performance.now() };
}

/** Returns the server's time in milliseconds; null until it is known. */
export function serverNow(): number | null {
  if (clock === null) return null;
  return clock.atMs + (clock.runs ? performance.now() - clock.heardAtMs : 0);
}

/** Returns whether the certificate of a domain is valid now. */
export function hasValidCertificate({ certificate }: Pick<DomainResource, 'certificate'>): boolean {
  return isCertificateValid(certificate, serverNow() ?? Date.now());
}
