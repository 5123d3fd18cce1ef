import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { Status } from '../../../core/domains/status.ts';
import { type Appearance, deliveryLook, statusLook, type Tone } from '../../../core/look/status-look.ts';
import { isReasonCode, REASONS } from '../../../core/reasons.ts';
import type { EventResource } from '../../../schema/event.ts';

/** Shows the word for a state, in the colour of the state. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }): ReactElement {
  return <span className={`pill ${tone}`}>{children}</span>;
}

/** Shows a state by its icon, its words and its colour. */
export function ShownState({ words, tone, icon }: Appearance): ReactElement {
  return (
    <span className={`st ${tone}`}>
      <Icon name={icon} />
      {words}
    </span>
  );
}

/** Shows the words for a reason. The code of the API is their title. A code that this version does not know is shown itself. */
export function ReasonWords({ code }: { code: string }): ReactElement {
  return isReasonCode(code) ? <span title={code}>{REASONS[code].short}</span> : <code>{code}</code>;
}

/** @param input.hasCertificate true if the domain's certificate is valid. */
export function ShownStatus(input: { status: Status; hasCertificate: boolean }): ReactElement {
  const { status, hasCertificate } = input;
  return <ShownState {...statusLook(status, hasCertificate)} />;
}

export function ShownDelivery({ delivery }: Pick<EventResource, 'delivery'>): ReactElement {
  return <ShownState {...deliveryLook(delivery)} />;
}

export function ResponsePill({ status }: { status: number | null }): ReactElement {
  return <Pill tone={responseTone(status)}>{status ?? 'no response'}</Pill>;
}

/** Returns the colour of an HTTP status. @param status null if there was no response. */
export function responseTone(status: number | null): Tone {
  if (status === null) return 'bad';
  if (status < 300) return 'good';
  return status < 400 ? 'work' : 'bad';
}
