import type { DeliveryResource, EventResource } from '../../shared/schema/event.ts';
import { responseWord } from '../output/event-view.ts';
import type { Style } from '../output/output.ts';
import { plainText, plainTime } from '../output/plain-text.ts';

/** Describes the status change of an event. As everywhere in this file, text from the network goes through `plainText`. */
export function changeWords({ previous_status, status }: EventResource): string {
  return `${plainText(previous_status)} → ${plainText(status)}`;
}

/**
 * Describes the last attempt, the number of attempts, and the time of the next one.
 *
 * @param time formats the time of the next attempt; by default with its date.
 */
export function deliveryWords({ delivery }: EventResource, time: (at: string) => string = plainTime): string {
  const { status, attempts, next_attempt_at } = delivery;
  if (status === 'none') return 'no webhook URL';
  const answer = shortDeliveryWord(delivery);
  if (status === 'pending') {
    if (attempts === 0) return 'waiting';
    return next_attempt_at === null ? answer : `${answer}, next ${time(next_attempt_at)}`;
  }
  return status === 'failed' ? `failed: ${answer}` : answer;
}

/** Describes the last attempt in short, such as `500 ×3`: the response and, if there were several, the number of attempts. */
export function shortDeliveryWord(delivery: EventResource['delivery']): string {
  const { attempts, last_status_code, last_error } = delivery;
  if (attempts === 0) return plainText(delivery.status);
  const answer = plainText(last_status_code ?? last_error);
  return attempts === 1 ? answer : `${answer} ×${plainText(attempts)}`;
}

/** Returns the mark and the style of an event's delivery. The marks differ, so that they work without colour too. */
export function deliveryMark({ delivery }: EventResource): { mark: string; style: Style } {
  return statusMark(delivery.status);
}

export function statusMark(status: string): { mark: string; style: Style } {
  return MARKS[status] ?? { mark: '?', style: 'dim' };
}

const MARKS: Record<string, { mark: string; style: Style }> = {
  delivered: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  pending: { mark: '…', style: 'yellow' },
  none: { mark: '·', style: 'dim' },
};

/** The note for a reset that deletes the events while a command follows them. */
export const RESET_WORDS = 'The emulator was reset. Following its new events.';

/** Describes the response to a redelivery. */
export function redeliveryWords(
  delivery: Pick<DeliveryResource, 'status_code' | 'error' | 'response_ms'>,
): string {
  const took = delivery.response_ms === null ? '' : ` in ${plainText(delivery.response_ms)} ms`;
  return `${responseWord(delivery)}${took}`;
}

/** Returns true for a 2xx status. */
export function isAccepted({ status_code }: Pick<DeliveryResource, 'status_code'>): boolean {
  return status_code !== null && status_code >= 200 && status_code < 300;
}

/** Formats a time as `12:00:00`, or with month and day if it is not today. In UTC. @param isWide true if there is room for its seconds too. */
export function timeWord(createdAt: string, now: string, isWide = false): string {
  const time = plainTime(createdAt);
  if (time.slice(0, 10) === now.slice(0, 10)) return time.slice(11, 19);
  return time.slice(5, isWide ? 19 : 16);
}

/** Returns the colour of a domain's status. */
export function statusStyle(status: string | null): { style?: Style } {
  const style = STATUS_STYLES[status ?? ''];
  return style === undefined ? {} : { style };
}

const STATUS_STYLES: Record<string, Style> = {
  pending_dns: 'cyan',
  verifying: 'cyan',
  issuing: 'blue',
  active: 'green',
  dns_broken: 'red',
  cert_failed: 'red',
  expired: 'red',
  held: 'magenta',
  deleted: 'dim',
};

/** Formats a duration, such as `4 s`, `3 min 10 s`, or `2 h 5 min`. */
export function durationWords(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a number with its noun, such as `1 event` or `1 234 events`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Formats a number in groups of three digits. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
