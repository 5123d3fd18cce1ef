import { createClient } from '../../shared/client/client.ts';
import type { EventResource } from '../../shared/schema/event.ts';
import { askClock } from '../emulator/clock-ahead.ts';
import { fetchUntil } from '../settings/following-client.ts';
import type { CliSettings } from '../settings/settings.ts';
import { otherEmulatorNote } from '../settings/target-words.ts';
import type { World } from '../settings/world.ts';
import { createDomainCommands, createPastLoader } from './commands/load-rows.ts';
import { createCommandRunner } from './commands/view-commands.ts';
import { type EmulatorLink, findEmulator } from './emulator-link.ts';
import type { ReaderOptions } from './event-reader.ts';
import { type FeedChoice, type FeedItem, openFeed } from './follow-events.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { ViewStore } from './view/view-state.ts';

export interface ViewOptions {
  store: ViewStore;
  choice: FeedChoice;
  pacer: Pacer;
  settings: CliSettings;
  /** The signing secret from the flag or the environment. */
  secret: string | null;
  world: World;
}

const REFRESH_MS = 3_000;
/** An event can be up to this much newer than the screen's time, because that time is updated once a second. */
const AHEAD_MS = 2_000;

/**
 * Reads events into the view, and runs the commands of keys, until the pacer stops. `ended` rejects if the flags name a domain that does
 * not exist, or on an unexpected error.
 */
export function runView({ store, choice, pacer, settings, secret, world }: ViewOptions) {
  const { baseUrl, apiKey } = settings;
  const { elapsedMs } = world;
  // Requests in progress are aborted when the view ends.
  const fetch = fetchUntil(pacer.signal);
  let emulator: EmulatorLink | null = null;
  let followed: ReaderOptions['query'] = {};
  // Each new event ends the feed's pauses early. Commands have their own pacer, so that a new event does not shorten a command's pause.
  const acting = createPacer();
  pacer.signal.addEventListener('abort', acting.stop);
  // The timeout is short, because a person is waiting at the screen.
  const client = createClient({ baseUrl, apiKey, fetch, retries: 2, maxWaitMs: 3_000, sleep: acting.pause });
  const domains = createDomainCommands(store, client);
  const act = createCommandRunner({
    store,
    client,
    domains,
    pacer,
    emulator: () => emulator,
    settings,
    secret,
    world,
    loadPast: createPastLoader(store, client.events.list, () => followed),
    readClock,
  });
  return { act, ended: Promise.all([showFeed(), refresh(), noteOtherEmulator()]) };

  async function showFeed(): Promise<void> {
    const { items, hurried, query } = await openFeed(choice, { settings, client, pacer, elapsedMs });
    followed = query;
    await Promise.all([showItems(items), hurried]);
  }

  /** Shows a notice if an emulator runs in this folder but the view uses another server. */
  async function noteOtherEmulator(): Promise<void> {
    const text = await otherEmulatorNote(settings, world);
    if (text !== null) store.dispatch({ kind: 'noticed', notice: { text, tone: 'plain' } });
  }

  async function showItems(items: AsyncIterable<FeedItem>): Promise<void> {
    let hasConnected = false;
    for await (const item of items) {
      hasConnected ||= item.kind === 'answer';
      // After a reconnect, the server may be a different one. Read its clock first, because the ages in the rows depend on it.
      const isNew = item.kind === 'answer' && store.get().rows.connection.state !== 'live';
      if (isNew) await meetServer();
      else if (item.kind === 'answer' && (item.wasReset || item.events.some(isAhead))) await readClock();
      store.dispatch(item);
      // If the API refuses the key at the first request, the view has nothing to show, so it closes and the error is printed in the shell.
      if (item.kind === 'stopped' && !hasConnected) return pacer.stop();
      if (item.kind !== 'answer') continue;
      // If the view shows only failed events, also load older events, because the newest may include no failed event.
      if (isNew && store.get().rows.filter.failedOnly) void act({ do: 'load_past' });
      if (item.events.length > 0) void domains.refresh();
      const shown = item.changed.find(({ id }) => id === store.get().detail?.id);
      if (shown) void act({ do: 'load', event: shown });
    }
  }

  /** Returns true for an event that is newer than the time on the screen, because the emulator's clock was moved. */
  function isAhead({ created_at }: EventResource): boolean {
    return emulator !== null && Date.parse(created_at) > Date.parse(store.get().time.now) + AHEAD_MS;
  }

  async function meetServer(): Promise<void> {
    emulator = await findEmulator(settings, fetch);
    store.dispatch({ kind: 'set', fields: { hasEmulator: emulator !== null } });
    await readClock();
  }

  /** Reads the shown domains and the emulator's clock every few seconds, because not every change of a domain or the clock has an event. */
  async function refresh(): Promise<void> {
    while (!pacer.signal.aborted) {
      await acting.pause(REFRESH_MS);
      await Promise.all([domains.refresh(), readClock()]);
    }
  }

  /** Reads the emulator's clock, from which the ages of the rows are calculated. */
  async function readClock(): Promise<void> {
    const clock = emulator === null ? null : await askClock(baseUrl);
    if (clock !== null) store.dispatch({ kind: 'clock', clock });
  }
}
