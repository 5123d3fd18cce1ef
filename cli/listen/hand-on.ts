import type { EventResource } from '../../shared/schema/event.ts';
import { durationWords, RESET_WORDS } from '../events/drawing/event-words.ts';
import type { FeedItem } from '../events/follow-events.ts';
import { plainText } from '../output/plain-text.ts';

interface HandOnOptions {
  /** Called with the first answer: from here on nothing is missed. */
  onBegun(): void;
  add(event: EventResource): void;
  note(text: string): void;
  /** Milliseconds by the clock on the wall: others stand still while the machine sleeps. */
  wall_ms?: () => number;
}

/** Between two looks at the API lies a second or so: after more than this the machine has slept. */
const SLEPT_MS = 60_000;

/**
 * Hands on the events that a feed tells of, and says when it was cut off and when it goes on.
 * @throws ApiError when the API refuses; NetworkError when it never answered, which is most often a wrong address.
 */
export async function handOn(feed: AsyncIterable<FeedItem>, options: HandOnOptions): Promise<void> {
  const { onBegun, add, note, wall_ms = Date.now } = options;
  let answered_at: number | null = null;
  let is_cut_off = false;
  for await (const item of feed) {
    if (item.kind !== 'answer') {
      if (item.kind === 'stopped' || answered_at === null) throw item.error;
      if (!is_cut_off) note(`${plainText(item.error.message)} Trying again until it answers.`);
      is_cut_off = true;
      continue;
    }
    const now = wall_ms();
    const is_first = answered_at === null;
    const away_ms = now - (answered_at ?? now);
    const away = `${durationWords(away_ms)}; what came meanwhile follows.`;
    if (is_cut_off) note(`Connected again after ${away}`);
    else if (away_ms > SLEPT_MS) note(`This machine slept for ${away}`);
    [is_cut_off, answered_at] = [false, now];
    if (is_first) onBegun();
    if (item.was_reset) note(RESET_WORDS);
    if (item.gap)
      note(
        `More came than can be read at once: what was before ${plainText(item.gap.before.id)} is not forwarded.`,
      );
    for (const event of item.events) add(event);
  }
}
