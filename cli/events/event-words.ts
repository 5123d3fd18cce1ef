import type { DeliveryResource, EventResource, ListEventsQuery } from '../../shared/schema/event.ts';
import { responseWord } from '../output/event-view.ts';
import { deliveryState } from '../output/marks.ts';
import type { Style } from '../output/output.ts';
import { plainText, plainTime } from '../output/plain-text.ts';

/** Describes the status change of an event. As everywhere in this file, text from the network goes through `plainText`. */
export function changeWords({
  previous_status,
  status,
}: Record<'previous_status' | 'status', string | null>) {
  return plainText(`${previous_status ?? 'new'} → ${status ?? 'gone'}`);
}

/** How an event type is shown: in words, as a symbol for a narrow screen, and in a colour. */
export interface Change {
  words: string;
  symbol: string;
  style: Style | null;
}

/** How each event type is shown in a list. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'domain.created': { words: 'created', symbol: '+', style: 'cyan' },
  'domain.verified': { words: 'verified', symbol: '◐', style: 'cyan' },
  'domain.active': { words: 'active', symbol: '●', style: 'green' },
  'domain.dns_broken': { words: 'DNS broken', symbol: '≠', style: 'red' },
  'domain.cert_failed': { words: 'Certificate failed', symbol: '⊘', style: 'red' },
  'domain.certificate_renewed': { words: 'renewed', symbol: '⟳', style: 'green' },
  'domain.held': { words: 'on hold', symbol: '‖', style: 'magenta' },
  'domain.released': { words: 'released', symbol: '▸', style: 'green' },
  'domain.deleted': { words: 'removed', symbol: '−', style: 'dim' },
};

/** Returns how to show an event. A type that this version of the CLI does not know is shown unchanged. */
export function changeOf({ type }: Pick<EventResource, 'type'>): Change {
  const words = plainText(type).replace(/^domain\./, '');
  return Object.hasOwn(CHANGES, type) ? (CHANGES[type] as Change) : { words, symbol: '?', style: null };
}

/** The delivery statuses that the API can filter events by. */
export const DELIVERY_STATUSES = [
  'delivered',
  'pending',
  'failed',
  'none',
] as const satisfies readonly ListEventsQuery['delivery'][];

interface WaitingFor {
  /** Formats the time of the next attempt. */
  time(at: string): string;
  /** The domain's earlier event that must be delivered before this event; null if there is none, or if it is unknown. */
  blocker?: EventResource | null;
}

/** Describes the last attempt, the number of attempts, and what the next attempt waits for. */
export function deliveryWords(
  event: EventResource,
  { time, blocker = null }: WaitingFor = { time: (at) => `next ${plainTime(at)}` },
): string {
  const { delivery } = event;
  const answer = shortDeliveryWord(delivery);
  switch (deliveryState(event)) {
    case 'none':
      return 'no webhook URL';
    case 'failed':
      return `failed · ${answer}`;
    case 'waiting':
      return blocker === null ? 'queued' : `waits for the one before${answerOf(blocker)}`;
    case 'retrying':
      return delivery.next_attempt_at === null ? answer : `${answer} · ${time(delivery.next_attempt_at)}`;
    default:
      return answer;
  }
}

/** Returns the last response to `blocker`, in brackets; empty if `blocker` had no attempt yet. */
function answerOf({ delivery: { attempts, last_status_code, last_error } }: EventResource): string {
  return attempts === 0 ? '' : ` (${plainText(last_status_code ?? last_error)})`;
}

/** Describes the last attempt in short, such as `500 ×3`: the response and, if there were several, the number of attempts. */
export function shortDeliveryWord(delivery: EventResource['delivery']): string {
  const { attempts, last_status_code, last_error, status } = delivery;
  const result = last_status_code ?? last_error;
  if (result === null) return status === 'pending' ? 'queued' : plainText(status);
  const answer = plainText(result);
  return attempts === 1 ? answer : `${answer} ×${plainText(attempts)}`;
}

/** The note that a command prints if the emulator is reset while the command follows its events. */
export const RESET_WORDS = 'The emulator was reset. Following its new events.';

/** Describes the receiver's response to a redelivery. */
export function redeliveryWords(
  delivery: Pick<DeliveryResource, 'status_code' | 'error' | 'response_ms'>,
): string {
  const took = delivery.response_ms === null ? '' : ` in ${plainText(delivery.response_ms)} ms`;
  return `${responseWord(delivery)}${took}`;
}

/** Returns true if the receiver responded with a 2xx status. */
export function isAccepted({ status_code }: Pick<DeliveryResource, 'status_code'>): boolean {
  return status_code !== null && status_code >= 200 && status_code < 300;
}

/** Formats how long ago a time is, such as `12 s` or `3 min`. A time in the future is shown as 0 s. @param now RFC 3339 */
export function ageWord(at: string, now: string): string {
  return lengthWord(Math.max(0, Date.parse(now) - Date.parse(at)));
}

/** Formats how far in the future a time is, such as `in 53 s`. Returns `now` for a time in the past. @param now RFC 3339 */
export function untilWord(at: string, now: string): string {
  const waitMs = Date.parse(at) - Date.parse(now);
  return waitMs >= 1_000 ? `in ${lengthWord(waitMs)}` : 'now';
}

const UNITS: readonly (readonly [unit: string, lengthMs: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Formats a duration in its largest unit only, such as `3 min`. */
export function lengthWord(lengthMs: number): string {
  if (!Number.isFinite(lengthMs)) return '-';
  const [unit, unitMs] = UNITS.find(([, length]) => lengthMs >= length) ?? ['s', 1_000];
  return `${Math.floor(lengthMs / unitMs)} ${unit}`;
}

/** Formats a duration, such as `4 s`, `3 min 10 s`, or `2 h 5 min`. */
export function durationWords(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a number with its noun, such as `1 event` or `1 234 events`. */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Formats a number in groups of three digits. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
