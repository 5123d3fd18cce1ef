import type { IssuedCertificate } from '../../core/certificates/certificate-chain.ts';
import { type RenewalWindow, renewalMoment } from '../../core/certificates/renewal-time.ts';
import type { Instant } from '../../core/instant.ts';
import type { CertificateAuthority } from '../../ports/certificate-authority.ts';
import type { Context } from '../context.ts';
import { randomShare } from './random-share.ts';

export interface ReadWindow {
  window: RenewalWindow;
  /** A moment of it; null where the window is the one that was known. */
  renews_at: Instant | null;
  /** When to ask again, where the authority said so. */
  retry_at: Instant | null;
}

/** Asks the authority when it wants a certificate renewed (RFC 9773). @returns null where it does not say. */
export async function readWindow(
  context: Context,
  authority: CertificateAuthority,
  known: Pick<IssuedCertificate, 'ari_id' | 'not_before' | 'not_after'> & { window: RenewalWindow | null },
): Promise<ReadWindow | null> {
  if (known.ari_id === null) return null;
  const answer = await authority.renewalWindow(known.ari_id);
  if (!answer.ok) {
    context.log.warn(
      { ca: authority.ca.name, problem: answer.problem },
      'a renewal window could not be read',
    );
    return null;
  }
  const window = answer.value;
  // A window that is no window, or one after the end, is no advice.
  if (window === null || window.end < window.start || window.start >= known.not_after) return null;
  const same = known.window?.start === window.start && known.window.end === window.end;
  const renews_at = same ? null : renewalMoment(window, known, randomShare(context));
  return { window, renews_at, retry_at: answer.retry_at };
}
