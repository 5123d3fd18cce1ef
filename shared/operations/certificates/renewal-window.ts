import type { IssuedCertificate } from '../../core/certificates/certificate-chain.ts';
import { type Received, type RenewalWindow, renewalMoment } from '../../core/certificates/renewal-time.ts';
import type { Instant } from '../../core/instant.ts';
import type { CertificateAuthority } from '../../ports/certificates.ts';
import type { Context } from '../context.ts';
import { randomShare } from './random-share.ts';

export interface ReadWindow {
  window: RenewalWindow;
  /** A random time within the window. Null if the window has not changed. */
  renews_at: Instant | null;
  /** When to ask again, if the authority said so. */
  retryAt: Instant | null;
}

/** Asks the authority when it wants a certificate renewed (RFC 9773). @returns null if the authority gives no usable window. */
export async function readWindow(
  context: Context,
  authority: CertificateAuthority,
  known: Received & Pick<IssuedCertificate, 'ari_id'> & { window: RenewalWindow | null },
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
  // A window that is empty or starts after the certificate's end is ignored.
  if (window === null || window.end < window.start || window.start >= known.not_after) return null;
  const same = known.window?.start === window.start && known.window.end === window.end;
  const renewsAt = same ? null : renewalMoment(window, known, randomShare(context));
  return { window, renews_at: renewsAt, retryAt: answer.retryAt };
}
