import type { EventResource } from '../../../shared/schema/event.ts';
import { shellQuote } from '../../arguments/shell-quote.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { counted, durationWords, isAccepted } from '../event-words.ts';
import { CELL } from '../table/cells.ts';
import { tableCell, tableRow } from '../table/event-table.ts';
import type { DeliveryCounts, EventRows, GapRow } from './event-rows.ts';

/** Returns the summary that is printed when following ends. */
export function summaryLines(rows: EventRows, followedMs: number): string[] {
  const { seen, dropped, connection, counts } = rows;
  const firstFailed = counts.failed === 0 ? null : firstFailedEvent(rows);
  return [
    `Followed for ${durationWords(followedMs)}: ${counted(seen, 'event')}${deliveries(counts)}.`,
    ...redeliveries(rows),
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

/** Describes a gap. */
export function gapWords({ gap: { after, before } }: GapRow): string {
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

function deliveries(counts: DeliveryCounts): string {
  const told = KINDS.filter(([status]) => counts[status] > 0).map(
    ([status, words]) => `${counts[status]} ${words}`,
  );
  return told.length === 0 ? '' : `, ${told.join(', ')}`;
}

function redeliveries({ redeliveries: asked }: EventRows): string[] {
  if (asked.size === 0) return [];
  const accepted = [...asked.values()].filter(
    (one) => one.state === 'answered' && isAccepted(one.delivery),
  ).length;
  return [`Redelivered ${counted(asked.size, 'event')}: ${accepted} got a 2xx.`];
}

function firstFailedEvent({ table }: EventRows): EventResource | null {
  for (let row = table.first; row < table.end; row++) {
    if (tableCell(table, row, CELL.delivery_status) !== 'failed') continue;
    const found = tableRow(table, row);
    return found.kind === 'event' ? found.event : null;
  }
  return null;
}

function redeliverCommand(event: EventResource): string {
  return shellQuote(['nameplate', 'events', 'redeliver', '--failed', '--since', plainText(event.created_at)]);
}
