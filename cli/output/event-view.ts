import type { DeliveryResource, EventResource } from '../../shared/schema/event.ts';
import { type FieldsOf, VALUE } from './field-columns.ts';
import { deliveryMark, marked, painted } from './marks.ts';
import type { Output } from './output.ts';
import { plainText } from './plain-text.ts';
import type { TableColumn } from './table.ts';

/** Returns the columns of a list of events. */
export function eventColumns(output: Output): TableColumn<EventResource>[] {
  return [
    { name: 'created', value: (event) => event.created_at, isTime: true },
    { name: 'type', value: (event) => event.type, shrinks: true },
    { name: 'hostname', value: (event) => event.hostname, shrinks: true },
    {
      name: 'delivery',
      value: (event) => marked(deliveryMark(event), deliveryWord(event), output),
      optional: true,
      style: (text, event) => output.paint(deliveryMark(event).style, text),
    },
    { name: 'change', value: (event) => changeWord(event), optional: true },
    { name: 'id', value: (event) => event.id, optional: true },
  ];
}

export function deliveryColumns(): TableColumn<DeliveryResource>[] {
  return [
    { name: 'attempt', value: (delivery) => delivery.attempt },
    { name: 'response', value: (delivery) => responseWord(delivery) },
    { name: 'ms', value: (delivery) => delivery.response_ms },
    { name: 'at', value: (delivery) => delivery.created_at, isTime: true },
    { name: 'retry', value: (delivery) => delivery.next_attempt_at, isTime: true, optional: true },
    { name: 'id', value: (delivery) => delivery.id, optional: true },
  ];
}

export function eventLines(event: EventResource, output: Output): string[] {
  const { status, next_attempt_at } = event.delivery;
  const isQueued = status === 'pending' && next_attempt_at === null;
  return output.fields([
    ['id', plainText(event.id)],
    ['type', output.paint('bold', plainText(event.type))],
    ['hostname', plainText(event.hostname)],
    ['domain', plainText(event.domain_id)],
    ['change', plainText(changeWord(event))],
    ['delivery', painted(deliveryMark(event), plainText(deliveryWord(event)), output)],
    ['next attempt', isQueued ? 'after the earlier events of this domain' : output.time(next_attempt_at)],
    ['created', output.time(event.created_at)],
  ]);
}

const BODY_LINES_MAX = 20;

/** Returns the beginning of the newest response body that is not a success. An older server does not return response bodies. */
export function responseLines(deliveries: readonly DeliveryResource[]): string[] {
  const refused = deliveries.find(({ status_code }) => status_code !== null && status_code >= 300);
  if (!refused?.response_body) return [];
  const lines = refused.response_body.trimEnd().split(/\r\n|\r|\n/);
  return [
    '',
    `The receiver's response to attempt ${refused.attempt}:`,
    ...lines.slice(0, BODY_LINES_MAX).map((line) => `  ${plainText(line)}`),
    ...(lines.length > BODY_LINES_MAX ? ['  …'] : []),
  ];
}

/** Returns the receiver's HTTP status, or the reason why there was no response. */
export function responseWord(delivery: Pick<DeliveryResource, 'status_code' | 'error'>): string {
  return plainText(delivery.status_code ?? delivery.error);
}

function deliveryWord({ delivery }: EventResource): string {
  const last = delivery.last_status_code ?? delivery.last_error;
  return last === null ? delivery.status : `${delivery.status} (${last})`;
}

function changeWord({ previous_status, status }: EventResource): string {
  return `${previous_status ?? 'new'} -> ${status ?? 'gone'}`;
}

/** The fields that `--columns` can name. */
export const EVENT_FIELDS: FieldsOf<EventResource> = {
  id: VALUE,
  type: VALUE,
  domain_id: VALUE,
  hostname: VALUE,
  previous_status: VALUE,
  status: VALUE,
  created_at: VALUE,
  delivery: {
    status: VALUE,
    attempts: VALUE,
    last_status_code: VALUE,
    last_error: VALUE,
    last_attempt_at: VALUE,
    next_attempt_at: VALUE,
  },
};
