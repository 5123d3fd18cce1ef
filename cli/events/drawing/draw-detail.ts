import type { DeliveryResource, EventDetail } from '../../../shared/schema/event.ts';
import { deliveryColumns } from '../../output/event-view.ts';
import { plainJson, plainText, plainTime } from '../../output/plain-text.ts';
import { tableLines } from '../../output/table.ts';
import type { Line } from '../../terminal/line.ts';
import type { CheckedSignature } from '../check-signature.ts';
import { type RequestHeader, requestHeaders } from '../commands/request-headers.ts';
import {
  changeWords,
  counted,
  deliveryMark,
  deliveryWords,
  isAccepted,
  redeliveryWords,
} from '../event-words.ts';
import { brokenLine, brokenText } from './fit-text.ts';
import { jsonSpans } from './json-spans.ts';

export interface DrawnDetail {
  detail: EventDetail;
  signature: CheckedSignature;
  /** The app's webhook URL now; null if there is none. */
  webhookUrl: string | null;
}

/** Draws an event's fields, attempts, responses, request, signature and body. */
export function detailLines({ detail, signature, webhookUrl }: DrawnDetail, columns: number): Line[] {
  return [
    ...fieldLines(detail, columns),
    ...section('Attempts', attemptLines(detail, columns)),
    ...responseGroups(detail.deliveries).flatMap((group) => responseLines(group)),
    ...section('Request', requestLines(detail, webhookUrl)),
    ...section('Signature', signatureLines(signature)),
    ...section(bodyTitle(detail.body), bodyLines(detail.body)),
  ].flatMap((line) => brokenLine(line, columns));
}

function fieldLines(detail: EventDetail, columns: number): Line[] {
  const { style } = deliveryMark(detail);
  const fields: [string, string][] = [
    ['id', plainText(detail.id)],
    ['domain', plainText(detail.domain_id)],
    ['change', changeWords(detail)],
    ['created', plainTime(detail.created_at)],
    ['delivery', deliveryWords(detail)],
  ];
  return fields.flatMap(([name, value]) =>
    brokenText(value, Math.max(10, columns - 10)).map((text, index) => [
      { text: (index === 0 ? name : '').padEnd(10), style: 'dim' as const },
      name === 'delivery' ? { text, style } : { text },
    ]),
  );
}

function section(title: string, lines: Line[]): Line[] {
  return [[], [{ text: title, style: 'bold' }], ...lines];
}

function attemptLines({ deliveries, delivery }: EventDetail, columns: number): Line[] {
  if (deliveries.length === 0) {
    const why = delivery.status === 'none' ? 'None: the app has no webhook URL.' : 'None yet.';
    return [[{ text: why }]];
  }
  const { lines } = tableLines(deliveries, deliveryColumns(), columns);
  const more = delivery.attempts - deliveries.length;
  return [
    ...lines.map((text, index): Line => [index === 0 ? { text, style: 'dim' } : { text }]),
    ...(more > 0 ? [[{ text: `and ${counted(more, 'earlier attempt')}`, style: 'dim' } as const]] : []),
  ];
}

/** Attempts in a row that got the same response, newest first. */
type ResponseGroup = [DeliveryResource, ...DeliveryResource[]];

/** Groups the attempts by their responses, because a receiver that fails mostly gives the same one again. */
function responseGroups(deliveries: readonly DeliveryResource[]): ResponseGroup[] {
  const groups: ResponseGroup[] = [];
  for (const delivery of deliveries.filter(hasResponse)) {
    const open = groups.at(-1);
    if (open && isSame(open[0], delivery)) open.push(delivery);
    else groups.push([delivery]);
  }
  return groups;
}

/** Returns false for an attempt without a response, and for the attempts of an older server, which does not send their responses. */
function hasResponse({ response_headers, response_body }: DeliveryResource): boolean {
  return Boolean(response_headers) || Boolean(response_body);
}

function isSame(one: DeliveryResource, other: DeliveryResource): boolean {
  return one.status_code === other.status_code && one.response_body === other.response_body;
}

function responseLines(group: ResponseGroup): Line[] {
  const [newest] = group;
  const oldest = group.at(-1) ?? newest;
  const attempts = [oldest, newest].map(({ attempt }) => plainText(attempt));
  const which = group.length === 1 ? `attempt ${attempts[1]}` : `attempts ${attempts.join(' to ')}`;
  const headers = Object.entries(newest.response_headers ?? {});
  const body = newest.response_body ?? '';
  return section(`Response to ${which}`, [
    [{ text: redeliveryWords(newest), style: isAccepted(newest) ? 'green' : 'red' }],
    ...headers.map(([name, value]) => headerLine({ name, value })),
    ...(body === '' ? [[{ text: 'Empty body.', style: 'dim' } as const]] : bodyLines(body)),
  ]);
}

function headerLine({ name, value }: RequestHeader): Line {
  return [{ text: `${plainText(name)}: `, style: 'dim' }, { text: plainText(value) }];
}

function requestLines(detail: EventDetail, webhookUrl: string | null): Line[] {
  const url = webhookUrl === null ? 'The app has no webhook URL now.' : `POST ${plainText(webhookUrl)}`;
  return [
    [{ text: url }],
    ...requestHeaders(detail, detail.deliveries[0]?.id ?? null).map(headerLine),
    [{ text: 'Each attempt has its own delivery id, time and signature.', style: 'dim' }],
  ];
}

function signatureLines(check: CheckedSignature): Line[] {
  if ('missing' in check) return [[{ text: check.missing, style: 'dim' }]];
  return [
    headerLine({ name: check.header, value: check.value }),
    [{ text: plainText(check.result), style: check.isGood ? 'green' : 'red' }],
  ];
}

function bodyTitle(body: string | null): string {
  if (body === null) return 'Body';
  return `Body, ${counted(Buffer.byteLength(body), 'byte')}, indented for reading`;
}

function bodyLines(body: string | null): Line[] {
  if (body === null) return [[{ text: 'The server did not return it.', style: 'dim' }]];
  const json = indented(body);
  return json === null
    ? body
        .trimEnd()
        .split('\n')
        .map((line) => [{ text: plainText(line) }])
    : json.map(jsonSpans);
}

/** Returns the lines of a JSON body, indented; null for any other body. */
function indented(body: string): string[] | null {
  try {
    return plainJson(JSON.parse(body)).split('\n');
  } catch {
    return null;
  }
}
