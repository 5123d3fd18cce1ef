import { STATUS_LOOKS, statusLook, type Tone } from '../../shared/core/look/status-look.ts';
import type { EventResource } from '../../shared/schema/event.ts';
import type { Formatting, Style } from './output.ts';
import { plainText } from './plain-text.ts';

/** How a terminal shows a state. The marks are different characters, so that they also work without colours. */
export interface StateMark {
  mark: string;
  style: Style;
}

export const GOOD_MARK: StateMark = { mark: '✓', style: 'green' };
export const BAD_MARK: StateMark = { mark: '✗', style: 'red' };
export const WARNING_MARK: StateMark = { mark: '!', style: 'yellow' };

/** Returns a text with its mark if the output is a terminal. For programs, which read the other outputs, the text stays as it is. */
export function marked({ mark }: StateMark, text: string, { width }: Pick<Formatting, 'width'>): string {
  return width === Number.POSITIVE_INFINITY ? text : `${mark} ${text}`;
}

export function painted(look: StateMark, text: string, output: Pick<Formatting, 'width' | 'paint'>): string {
  return output.paint(look.style, marked(look, text, output));
}

const TONES: Readonly<Record<Tone, StateMark>> = {
  good: GOOD_MARK,
  work: { mark: '…', style: 'cyan' },
  wait: { mark: '◌', style: 'yellow' },
  bad: BAD_MARK,
  held: { mark: '‖', style: 'magenta' },
  quiet: { mark: '·', style: 'dim' },
};

/**
 * Describes the status of a domain. A status that this version of the CLI does not know is shown unchanged.
 * @param hasCertificate true if an earlier certificate is still valid.
 */
export function statusOf(status: string, hasCertificate = false): StateMark & { words: string } {
  if (!isStatus(status)) return { words: plainText(status), mark: '?', style: 'dim' };
  const { words, tone } = statusLook(status, hasCertificate);
  return { words, ...TONES[tone] };
}

function isStatus(status: string): status is keyof typeof STATUS_LOOKS {
  return Object.hasOwn(STATUS_LOOKS, status);
}

/** How each state of a delivery is shown. */
export const DELIVERY_STATES = {
  delivered: { ...GOOD_MARK, words: 'delivered' },
  retrying: { mark: '↻', words: 'retrying', style: 'yellow' },
  waiting: { mark: '◌', words: 'waiting', style: 'yellow' },
  failed: { ...BAD_MARK, words: 'failed' },
  none: { mark: '·', words: 'not sent', style: 'dim' },
} as const satisfies Record<string, StateMark & { words: string }>;

export type DeliveryState = keyof typeof DELIVERY_STATES;

/** Returns the state of an event's delivery; null for a status that this version of the CLI does not know. */
export function deliveryState({ delivery }: EventResource): DeliveryState | null {
  const { status, last_status_code, last_error } = delivery;
  // During the first attempt, the delivery has no result yet.
  if (status === 'pending') return (last_status_code ?? last_error) === null ? 'waiting' : 'retrying';
  return Object.hasOwn(DELIVERY_STATES, status) ? status : null;
}

/** Returns the mark and the style of an event's delivery. */
export function deliveryMark(event: EventResource): StateMark {
  const state = deliveryState(event);
  return state === null ? { mark: '?', style: 'dim' } : DELIVERY_STATES[state];
}
