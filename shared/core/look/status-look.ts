import type { Status } from '../domains/status.ts';
import type { IconName } from './icons.ts';

/** How a page shows a state to a person: always with an icon, words and a colour. */
export interface Appearance {
  words: string;
  tone: Tone;
  icon: IconName;
}

/** The class of a colour, which sets `--tone`, `--tone-soft` and `--tone-fill`. */
export type Tone = 'good' | 'work' | 'wait' | 'bad' | 'held' | 'quiet';

/** The looks of the statuses. If the certificate of the domain is known, use `statusLook`. */
export const STATUS_LOOKS: Record<Status, Appearance> = {
  pending_dns: { words: 'Waiting for DNS', tone: 'wait', icon: 's-wait' },
  verifying: { words: 'Confirming DNS', tone: 'work', icon: 's-work' },
  issuing: { words: 'Getting certificate', tone: 'work', icon: 's-work' },
  active: { words: 'Active', tone: 'good', icon: 's-active' },
  dns_broken: { words: 'DNS broken', tone: 'bad', icon: 's-broken' },
  cert_failed: { words: 'Certificate failed', tone: 'bad', icon: 's-cert' },
  expired: { words: 'Setup timed out', tone: 'quiet', icon: 's-expired' },
  held: { words: 'On hold', tone: 'held', icon: 's-held' },
  deleted: { words: 'Removed', tone: 'quiet', icon: 's-gone' },
};

/** @param hasCertificate true if an earlier certificate is still valid, so that visitors notice nothing yet. */
export function statusLook(status: Status, hasCertificate: boolean): Appearance {
  const look = STATUS_LOOKS[status];
  if (status !== 'cert_failed') return look;
  return { ...look, words: hasCertificate ? 'Renewal failed' : 'No certificate' };
}

/** Returns whether there is a certificate and it has not expired. The API also shows an expired certificate. */
export function isCertificateValid(certificate: { not_after: string } | null, nowMs: number): boolean {
  return certificate !== null && Date.parse(certificate.not_after) > nowMs;
}

/**
 * Returns how a page shows the delivery of an event.
 * @param delivery `attempts` so far, and the response or error of the last one.
 */
export function deliveryLook(delivery: {
  status: 'pending' | 'delivered' | 'failed' | 'none';
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
}): Appearance {
  const outcome = delivery.last_status_code ?? delivery.last_error;
  const ending = outcome === null ? '' : ` · ${outcome}`;
  switch (delivery.status) {
    case 'delivered':
      return { words: 'Delivered', tone: 'good', icon: 's-active' };
    case 'failed':
      return { words: `Failed${ending}`, tone: 'bad', icon: 's-broken' };
    case 'none':
      return { words: 'Not sent', tone: 'quiet', icon: 's-none' };
    case 'pending':
      return delivery.attempts === 0
        ? { words: 'Queued', tone: 'work', icon: 's-work' }
        : { words: `Retrying${ending}`, tone: 'wait', icon: 's-wait' };
  }
}
