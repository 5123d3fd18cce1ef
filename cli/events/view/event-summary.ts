import { shellQuote } from '../../arguments/shell-quote.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { counted, durationWords, isAccepted } from '../drawing/event-words.ts';
import type { EventRows, EventViewRow, Row } from './event-rows.ts';

/** Returns the summary that is printed when following ends. */
export function summaryLines({ rows, seen, dropped, connection }: EventRows, followedMs: number): string[] {
  const events = rows.filter((row) => row.kind === 'event');
  const gaps = rows.length - events.length;
  const [firstFailed] = events.filter(({ event }) => event.delivery.status === 'failed');
  return [
    `Followed for ${durationWords(followedMs)}: ${counted(seen, 'event')}${deliveries(events)}.`,
    ...redeliveries(events),
    ...(gaps === 0 ? [] : [`${counted(gaps, 'gap')}: too many events came at once to read them all.`]),
    ...(dropped === 0
      ? []
      : [`The oldest ${counted(dropped, 'row')} ${dropped === 1 ? 'was' : 'were'} dropped.`]),
    ...(connection.state === 'retrying'
      ? [`The connection was lost: ${plainText(connection.error.message)}`]
      : []),
    ...(firstFailed ? [`To redeliver the failed events: ${redeliverCommand(firstFailed)}`] : []),
  ];
}

/** Describes a gap. */
export function gapWords({ gap: { after, before } }: Row & { kind: 'gap' }): string {
  const end = plainTime(before.created_at);
  if (after === null) return `Not read: everything before ${end}`;
  const start = plainTime(after.created_at);
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  return `Not read: ${start} to ${isSameDay ? end.slice(11) : end}`;
}

const KINDS = [
  ['delivered', 'delivered'],
  ['failed', 'failed'],
  ['pending', 'pending'],
  ['none', 'without a webhook URL'],
] as const;

function deliveries(events: readonly EventViewRow[]): string {
  const parts = KINDS.map(([status, words]) => {
    const count = events.filter(({ event }) => event.delivery.status === status).length;
    return count === 0 ? '' : `${count} ${words}`;
  });
  const told = parts.filter((part) => part !== '');
  return told.length === 0 ? '' : `, ${told.join(', ')}`;
}

function redeliveries(events: readonly EventViewRow[]): string[] {
  const asked = events.flatMap(({ redelivery }) => redelivery ?? []);
  if (asked.length === 0) return [];
  const accepted = asked.filter((one) => one.state === 'answered' && isAccepted(one.delivery)).length;
  return [`Redelivered ${counted(asked.length, 'event')}: ${accepted} got a 2xx.`];
}

function redeliverCommand({ event }: EventViewRow): string {
  return shellQuote(['nameplate', 'events', 'redeliver', '--failed', '--since', plainText(event.created_at)]);
}
