import type { Status } from '../../../shared/core/domains/status.ts';
import type { EventResource } from '../../../shared/schema/event.ts';

/** How something stands, as a colour. It is never the only thing that says so. */
export type Tone = 'waiting' | 'working' | 'good' | 'bad' | 'quiet';

export const STATUS_TONES: Record<Status, Tone> = {
  pending_dns: 'waiting',
  verifying: 'waiting',
  issuing: 'working',
  active: 'good',
  dns_broken: 'bad',
  cert_failed: 'bad',
  expired: 'quiet',
  held: 'quiet',
  deleted: 'quiet',
};

export const DELIVERY_TONES: Record<EventResource['delivery']['status'], Tone> = {
  delivered: 'good',
  pending: 'waiting',
  failed: 'bad',
  none: 'quiet',
};

/** @param status null where there was no answer. */
export function answerTone(status: number | null): Tone {
  if (status === null) return 'bad';
  if (status < 300) return 'good';
  return status < 400 ? 'working' : 'bad';
}
