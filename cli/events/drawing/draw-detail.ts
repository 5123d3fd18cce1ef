import type { EventDetail } from '../../../shared/schema/event.ts';
import { deliveryColumns } from '../../output/event-view.ts';
import { plainJson, plainText, plainTime } from '../../output/plain-text.ts';
import { tableLines } from '../../output/table.ts';
import type { CheckedSignature } from '../check-signature.ts';
import { changeWords, counted, deliveryMark, deliveryWords } from './event-words.ts';
import { brokenText } from './fit-text.ts';
import type { Line } from './line.ts';

/** Draws an event's fields, attempts, signature and body. */
export function detailLines(
  { detail, signature }: { detail: EventDetail; signature: CheckedSignature },
  columns: number,
): Line[] {
  return [
    ...fieldLines(detail, columns),
    ...section('Attempts', attemptLines(detail, columns)),
    ...section('Signature', signatureLines(signature, columns)),
    ...section(bodyTitle(detail.body), bodyLines(detail.body, columns)),
  ];
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

function signatureLines(check: CheckedSignature, columns: number): Line[] {
  if ('missing' in check) return brokenText(check.missing, columns).map((text) => [{ text, style: 'dim' }]);
  return [
    ...brokenText(`${check.header}: ${check.value}`, columns).map((text): Line => [{ text }]),
    ...brokenText(plainText(check.result), columns).map(
      (text): Line => [{ text, style: check.isGood ? 'green' : 'red' }],
    ),
  ];
}

function bodyTitle(body: string | null): string {
  if (body === null) return 'Body';
  return `Body, ${counted(Buffer.byteLength(body), 'byte')}, indented for reading`;
}

function bodyLines(body: string | null, columns: number): Line[] {
  if (body === null) return [[{ text: 'The server did not return it.', style: 'dim' }]];
  return indented(body).flatMap((line) => brokenText(line, columns).map((text): Line => [{ text }]));
}

/** Indents a JSON body. Returns any other body unchanged. */
function indented(body: string): string[] {
  try {
    return plainJson(JSON.parse(body)).split('\n');
  } catch {
    return body.split('\n').map(plainText);
  }
}
