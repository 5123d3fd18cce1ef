import type { EventResource } from '../../shared/schema/event.ts';
import { durationWords, RESET_WORDS } from '../events/event-words.ts';
import type { FeedItem } from '../events/follow-events.ts';
import { plainText } from '../output/plain-text.ts';

interface RelayOptions {
  /** Called after the first response of the API. Every event after this call is relayed. */
  onBegun(): void;
  add(event: EventResource): void;
  note(text: string): void;
  /** Wall-clock milliseconds, because a monotonic clock may stop while the machine sleeps. */
  wallMs?: () => number;
}

/** Polls are about a second apart, so a gap of more than a minute means that the machine was asleep. */
const SLEPT_MS = 60_000;

/**
 * Passes a feed's events to `add`, and prints notes when the connection is lost and when it is back.
 * @throws ApiError if the API refuses the requests; NetworkError if the server never responded, usually because its address is wrong.
 */
export async function relayEvents(feed: AsyncIterable<FeedItem>, options: RelayOptions): Promise<void> {
  const { onBegun, add, note, wallMs = Date.now } = options;
  let answeredAt: number | null = null;
  let isCutOff = false;
  for await (const item of feed) {
    if (item.kind !== 'answer') {
      if (item.kind === 'stopped' || answeredAt === null) throw item.error;
      if (!isCutOff) note(`${plainText(item.error.message)} Retrying until it responds.`);
      isCutOff = true;
      continue;
    }
    const now = wallMs();
    const isFirst = answeredAt === null;
    const awayMs = now - (answeredAt ?? now);
    const away = `${durationWords(awayMs)}. Forwarding the events since then.`;
    if (isCutOff) note(`Reconnected after ${away}`);
    else if (awayMs > SLEPT_MS) note(`This machine slept for ${away}`);
    [isCutOff, answeredAt] = [false, now];
    if (isFirst) onBegun();
    if (item.wasReset) note(RESET_WORDS);
    if (item.gap)
      note(
        `Too many new events to read at once. Events before ${plainText(item.gap.before.id)} are not forwarded.`,
      );
    for (const event of item.events) add(event);
  }
}
