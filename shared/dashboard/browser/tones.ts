import type { Status } from '../../core/domains/status.ts';
import type { EventResource } from '../../schema/event.ts';

/** The colour of a state. Colour is never the only sign of it. */
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

/** Returns the colour of an HTTP status. @param status null if there was no response. */
export function responseTone(status: number | null): Tone {
  if (status === null) return 'bad';
  if (status < 300) return 'good';
  return status < 400 ? 'working' : 'bad';
}
