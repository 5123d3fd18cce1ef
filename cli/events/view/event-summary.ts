import type { EventResource } from '../../../shared/schema/event.ts';
import { plainText, plainTime, shellQuote } from '../../output/plain-text.ts';
import type { Gap } from '../event-reader.ts';
import { counted, durationWords, isAccepted } from '../event-words.ts';
import { type EventRows, isEvent, type Redelivery } from './event-rows.ts';

/** Returns the lines of the summary that is printed when the command stops following events. */
export function summaryLines(rows: EventRows, followedMs: number): string[] {
  const { seen, dropped, connection, counts } = rows;
  const asked = [...rows.redeliveries.values()];
  const firstFailed = rows.all.filter(isEvent).find(({ delivery }) => delivery.status === 'failed');
  return [
    `Followed for ${durationWords(followedMs)}: ${counted(seen, 'event')}${deliveries(counts)}.`,
    ...(asked.length === 0
      ? []
      : [`Redelivered ${counted(asked.length, 'event')}: ${asked.filter(wasAccepted).length} got a 2xx.`]),
    ...(counts.gaps === 0
      ? []
      : [`${counted(counts.gaps, 'gap')}: too many events came at once to read them all.`]),
    ...(dropped === 0
      ? []
      : [`The oldest ${counted(dropped, 'row')} ${dropped === 1 ? 'was' : 'were'} dropped.`]),
    ...(connection.state === 'retrying'
      ? [`The connection was lost: ${plainText(connection.error.message)}`]
      : []),
    ...(firstFailed ? ['To redeliver the failed events:', redeliverCommand(firstFailed)] : []),
  ];
}

/** Describes a gap: the time range of the events that were not read. */
export function gapWords({ after, before }: Gap): string {
  const end = plainTime(before.created_at);
  if (after === null) return `Not read: everything before ${end}`;
  const start = plainTime(after.created_at);
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  return `Not read: ${start} to ${isSameDay ? end.slice(11) : end}`;
}

function deliveries({ delivered, failed, retrying, waiting, none }: EventRows['counts']): string {
  const kinds = [
    [delivered, 'delivered'],
    [failed, 'failed'],
    [retrying + waiting, 'pending'],
    [none, 'without a webhook URL'],
  ] as const;
  const told = kinds.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return told.length === 0 ? '' : `, ${told.join(', ')}`;
}

function wasAccepted(redelivery: Redelivery): boolean {
  return redelivery.state === 'answered' && isAccepted(redelivery.delivery);
}

function redeliverCommand(event: EventResource): string {
  return shellQuote(['nameplate', 'events', 'redeliver', '--failed', '--since', plainText(event.created_at)]);
}
