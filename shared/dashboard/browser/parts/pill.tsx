import type { ReactElement, ReactNode } from 'react';
import type { Status } from '../../../core/domains/status.ts';
import type { EventResource } from '../../../schema/event.ts';
import { DELIVERY_TONES, responseTone, STATUS_TONES, type Tone } from '../tones.ts';

/** A word for a state, in the colour of the state. */
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
