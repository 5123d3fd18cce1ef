import type { EventResource } from '../../shared/schema/event.ts';
import { deliveryMark } from '../output/marks.ts';
import type { Output } from '../output/output.ts';
import { jsonLine, plainText, plainTime } from '../output/plain-text.ts';
import { changeWords, deliveryWords, RESET_WORDS } from './event-words.ts';
import type { FeedItem } from './follow-events.ts';
import { type EventRows, reduceRows } from './view/event-rows.ts';
import { gapWords } from './view/event-summary.ts';

interface PrintOptions {
  feed: AsyncIterable<FeedItem>;
  /** The initial state of the event list, with the filter from the flags. */
  initial: EventRows;
  output: Output;
  write(line: string): void;
}

/**
 * Prints each event, and prints it again when its delivery changes. The output is text lines, or NDJSON with `--json`.
 * @returns the final state.
 * @throws ApiError if the API refuses the requests; NetworkError if it never responded.
 */
export async function printEvents({ feed, initial, output, write }: PrintOptions): Promise<EventRows> {
  let state = initial;
  for await (const item of feed) {
    const before = state.connection.state;
    state = reduceRows(state, item);
    if (item.kind !== 'answer') {
      if (item.kind === 'stopped' || state.answeredAtMs === null) throw item.error;
      if (before === 'live') output.note(`${plainText(item.error.message)} Retrying until it responds.`);
      continue;
    }
    if (before === 'retrying') output.note('Reconnected.');
    if (item.wasReset) output.note(RESET_WORDS);
    if (item.gap)
      write(
        output.json
          ? jsonLine({ gap: { after: item.gap.after?.id ?? null, before: item.gap.before.id } })
          : `-- ${gapWords(item.gap)} --`,
      );
    for (const event of [...item.events, ...item.changed]) {
      if (state.filter.matches(event)) write(output.json ? jsonLine(event) : eventLine(event, output));
    }
  }
  return state;
}

const TYPE_WIDTH = 'domain.certificate_renewed'.length;

function eventLine(event: EventResource, { paint }: Output): string {
  const { mark, style } = deliveryMark(event);
  return [
    paint('dim', plainTime(event.created_at)),
    plainText(event.type).padEnd(TYPE_WIDTH),
    plainText(event.hostname),
    paint('dim', changeWords(event)),
    paint(style, `${mark} ${deliveryWords(event)}`),
    paint('dim', plainText(event.id)),
  ].join('  ');
}
