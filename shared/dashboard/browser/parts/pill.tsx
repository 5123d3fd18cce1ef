import type { ReactElement, ReactNode } from 'react';
import type { Status } from '../../../core/domains/status.ts';
import type { EventResource } from '../../../schema/event.ts';

/** Shows the word for a state, in the colour of the state. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }): ReactElement {
  return <span className={`pill ${tone}`}>{children}</span>;
}

export function StatusPill({ status }: { status: Status }): ReactElement {
  return <Pill tone={STATUS_TONES[status]}>{status}</Pill>;
}

export function DeliveryPill({ delivery }: Pick<EventResource, 'delivery'>): ReactElement {
  const { status, last_status_code: code, last_error, attempts } = delivery;
  const outcome = attempts === 0 ? null : (code ?? last_error);
  const word = status === 'none' ? 'not sent' : status;
  return <Pill tone={DELIVERY_TONES[status]}>{outcome === null ? word : `${word} · ${outcome}`}</Pill>;
}

export function ResponsePill({ status }: { status: number | null }): ReactElement {
  return <Pill tone={responseTone(status)}>{status ?? 'no response'}</Pill>;
}

/** The colour of a state. A word always shows the state too. */
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
