import type { EventResource } from '../../shared/schema/event.ts';
import type { Output } from '../output/output.ts';
import { plainJson, plainText, plainTime } from '../output/plain-text.ts';
import { changeWords, deliveryMark, deliveryWords, RESET_WORDS } from './drawing/event-words.ts';
import type { FeedItem } from './follow-events.ts';
import { type EventRows, reduceRows } from './view/event-rows.ts';
import { gapWords } from './view/event-summary.ts';

interface PrintOptions {
  feed: AsyncIterable<FeedItem>;
  /** With the filter that the flags ask for. */
  initial: EventRows;
  output: Output;
  write(line: string): void;
}

/**
 * Events as lines, or with `--json` as NDJSON: an event when it comes, and again when its delivery changes.
 * @returns the state at its end. @throws ApiError when the API refuses; NetworkError when it never answered.
 */
export async function printEvents({ feed, initial, output, write }: PrintOptions): Promise<EventRows> {
  let state = initial;
  for await (const item of feed) {
    const before = state.connection.state;
    state = reduceRows(state, item);
    if (item.kind !== 'answer') {
      if (item.kind === 'stopped' || state.answered_at_ms === null) throw item.error;
      if (before === 'live') output.note(`${plainText(item.error.message)} Trying again until it answers.`);
      continue;
    }
    if (before === 'retrying') output.note('Connected again.');
    if (item.was_reset) output.note(RESET_WORDS);
    if (item.gap)
      write(output.json ? gapJson(item.gap) : `-- ${gapWords({ kind: 'gap', gap: item.gap })} --`);
    for (const event of [...item.events, ...item.changed]) {
      if (state.filter.matches(event)) write(output.json ? jsonLine(event) : eventLine(event, output));
    }
  }
  return state;
}

/** One document in one line; what JSON leaves of control characters is escaped. */
export function jsonLine(document: unknown): string {
  // Line ends inside of strings are escaped: these are those of the indentation.
  return plainJson(document).replace(/\n */g, '');
}

function gapJson({ after, before }: { after: EventResource | null; before: EventResource }): string {
  return jsonLine({ gap: { after: after?.id ?? null, before: before.id } });
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
