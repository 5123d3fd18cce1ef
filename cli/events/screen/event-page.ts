import type { DeliveryResource, EventDetail, EventResource } from '../../../shared/schema/event.ts';
import { deliveryColumns } from '../../output/event-view.ts';
import { deliveryMark, painted } from '../../output/marks.ts';
import type { Formatting, Style } from '../../output/output.ts';
import { plainJson, plainText, plainTime } from '../../output/plain-text.ts';
import { pageLines, paint, paintOutcome } from '../../screen/page-lines.ts';
import { type CheckedSignature, type RequestHeader, requestHeaders } from '../commands/event-request.ts';
import {
  ageWord,
  changeWords,
  counted,
  deliveryWords,
  isAccepted,
  redeliveryWords,
  untilWord,
} from '../event-words.ts';
import type { DetailContent } from '../view/view-state.ts';

interface EventPage {
  columns: number;
  /** The current time by the server's clock, RFC 3339. */
  now: string;
  /** The domain's earlier event that must be delivered before this event; null if there is none. */
  blocker: EventResource | null;
  isBodyFolded: boolean;
}

/**
 * Returns the lines of an event above its body: its fields, attempts, responses, request and signature.
 *
 * @param content null while the event is being loaded.
 */
export function eventPageLines(
  event: EventResource,
  content: DetailContent | null,
  { columns, now, blocker, isBodyFolded }: EventPage,
): string[] {
  return pageLines(columns, (output) => {
    const fields = (shown: EventResource) => sectionLines(shown, { now, blocker }, output);
    if (content === null) return [...fields(event), '', paint('dim', 'Loading the event …')];
    if (content.state === 'failed')
      return [...fields(event), '', paintOutcome(false, plainText(content.problem))];
    const { detail, signature, webhookUrl } = content;
    return [
      ...fields(detail),
      ...historyLines(detail, output),
      ...section('Request', requestLines(detail, webhookUrl)),
      ...section('Signature', signatureLines(signature)),
      ...section(bodyTitle(detail.body, isBodyFolded), []),
    ];
  });
}

/** Returns the attempts of an event with their responses. */
export function historyLines(detail: EventDetail, output: Formatting): string[] {
  return [
    ...section('Attempts', attemptLines(detail, output)),
    ...responseGroups(detail.deliveries).flatMap((group) => responseLines(group)),
  ];
}

/** Returns the lines of a body. JSON is indented and coloured. */
export function bodyLines(body: string, columns: number): string[] {
  return pageLines(columns, () => textOrJson(body));
}

/** Returns the fields of an event. */
export function sectionLines(
  event: EventResource,
  { now, blocker }: Pick<EventPage, 'now' | 'blocker'>,
  output: Formatting,
): string[] {
  const time = (at: string) => `next ${untilWord(at, now)}, ${plainTime(at)}`;
  const delivery = deliveryWords(event, { time, blocker });
  return output.fields([
    ['host', paint('bold', plainText(event.hostname))],
    ['change', changeWords(event)],
    ['delivery', painted(deliveryMark(event), delivery, output)],
    ...(blocker === null
      ? []
      : ([['', `${plainText(blocker.type)} ${plainText(blocker.id)} comes first`]] as const)),
    ['created', `${plainTime(event.created_at)} · ${ageWord(event.created_at, now)} ago`],
    ['id', plainText(event.id)],
    ['domain', plainText(event.domain_id)],
  ]);
}

function section(title: string, lines: string[]): string[] {
  return ['', paint('bold', title), ...lines];
}

function attemptLines({ deliveries, delivery }: EventDetail, output: Formatting): string[] {
  if (deliveries.length === 0) {
    return [delivery.status === 'none' ? 'None: the app has no webhook URL.' : 'None yet.'];
  }
  const more = delivery.attempts - deliveries.length;
  return [
    ...output.table(deliveries, deliveryColumns()),
    ...(more > 0 ? [paint('dim', `and ${counted(more, 'earlier attempt')}`)] : []),
  ];
}

/** Consecutive attempts that got the same response, newest first. */
type ResponseGroup = [DeliveryResource, ...DeliveryResource[]];

/** Groups consecutive attempts with the same response, because a failing receiver mostly repeats its response. */
function responseGroups(deliveries: readonly DeliveryResource[]): ResponseGroup[] {
  const groups: ResponseGroup[] = [];
  for (const delivery of deliveries) {
    const { response_headers, response_body, status_code } = delivery;
    // An attempt may have got no response, and an older server does not return the responses.
    if (!response_headers && !response_body) continue;
    const open = groups.at(-1);
    const isSame = open?.[0].status_code === status_code && open[0].response_body === response_body;
    if (open && isSame) open.push(delivery);
    else groups.push([delivery]);
  }
  return groups;
}

function responseLines(group: ResponseGroup): string[] {
  const [newest] = group;
  const oldest = group.at(-1) ?? newest;
  const attempts = [oldest, newest].map(({ attempt }) => plainText(attempt));
  const which = group.length === 1 ? `attempt ${attempts[1]}` : `attempts ${attempts.join(' to ')}`;
  const headers = Object.entries(newest.response_headers ?? {});
  const body = newest.response_body ?? '';
  return section(`Response to ${which}`, [
    paintOutcome(isAccepted(newest), redeliveryWords(newest)),
    ...headers.map(headerLine),
    ...(body === '' ? [paint('dim', 'Empty body.')] : textOrJson(body)),
  ]);
}

function headerLine([name, value]: RequestHeader): string {
  return `${paint('dim', `${plainText(name)}: `)}${plainText(value)}`;
}

function requestLines(detail: EventDetail, webhookUrl: string | null): string[] {
  return [
    webhookUrl === null ? 'The app has no webhook URL now.' : `POST ${plainText(webhookUrl)}`,
    ...requestHeaders(detail, detail.deliveries[0]?.id ?? null).map(headerLine),
    paint('dim', 'Each attempt has its own delivery id, time and signature.'),
  ];
}

function signatureLines(check: CheckedSignature): string[] {
  if (!check.ok) return [paint('dim', check.problem)];
  return [headerLine([check.header, check.value]), paintOutcome(check.isGood, plainText(check.result))];
}

function bodyTitle(body: string | null, isFolded: boolean): string {
  if (body === null) return 'Body: the server did not return it';
  return `Body, ${counted(Buffer.byteLength(body), 'byte')} · b to ${isFolded ? 'unfold' : 'fold'}`;
}

function textOrJson(body: string): string[] {
  try {
    return plainJson(JSON.parse(body)).split('\n').map(colored);
  } catch {
    // Show a body that is not JSON as plain text.
    return body.trimEnd().split('\n').map(plainText);
  }
}

/** Matches one token of JSON: a name with its colon, a string, or another value. */
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Colours a line of indented JSON: names, strings, and other values. */
function colored(line: string): string {
  return line.replace(TOKEN, (whole, text: string | undefined, colon: string | undefined) => {
    const style: Style = text === undefined ? 'yellow' : colon === undefined ? 'green' : 'cyan';
    return paint(style, text ?? whole) + (colon ?? '');
  });
}
