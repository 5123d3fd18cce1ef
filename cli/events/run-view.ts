import { createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';
import { askClockAheadMs } from '../emulator/clock-ahead.ts';
import { otherEmulatorNote } from '../emulator/other-emulator-note.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { createDomainCommands } from './commands/domain-commands.ts';
import { createCommandRunner } from './commands/view-commands.ts';
import { type EmulatorLink, findEmulator } from './emulator-link.ts';
import type { FeedItem } from './follow-events.ts';
import { type FeedChoice, openFeed } from './open-feed.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { ViewCommand } from './view/keys/key-outcome.ts';
import type { ViewStore } from './view/view-store.ts';

export interface ViewOptions {
  store: ViewStore;
  choice: FeedChoice;
  pacer: Pacer;
  settings: CliSettings;
  /** The signing secret from the flag or the environment. */
  secret: string | null;
  /** Turns the reports of the mouse on or off. */
  setMouse(on: boolean): void;
  world: World;
}

/** The view's work behind the screen. */
export interface RunningView {
  act(command: ViewCommand): Promise<void>;
  /** Ends with the pacer. Rejects if the choice of events is wrong, and on a bug. */
  ended: Promise<unknown>;
}

const REFRESH_MS = 3_000;

/** Reads events into the view, and runs the commands of keys, until the pacer stops. */
export function runView({
  store,
  choice,
  pacer,
  settings,
  secret,
  setMouse,
  world,
}: ViewOptions): RunningView {
  const { baseUrl, apiKey } = settings;
  const { elapsedMs } = world;
  // Requests in progress are aborted when the view ends.
  const fetch: Fetch = (url, init) =>
    nodeFetch(url, { ...init, signal: AbortSignal.any([init.signal, pacer.signal]) });
  let emulator: EmulatorLink | null = null;
  // The feed has its own pacer, because a new event ends the pauses of its polls.
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
    setMouse,
    world,
  });
  return { act, ended: Promise.all([showFeed(), refresh(), noteOtherEmulator()]) };

  async function showFeed(): Promise<void> {
    const { items, hurried } = await openFeed(choice, { settings, client, pacer, elapsedMs });
    await Promise.all([showItems(items), hurried]);
  }

  /** Helps a user who meant the emulator of this folder. */
  async function noteOtherEmulator(): Promise<void> {
    const text = await otherEmulatorNote(settings, world);
    if (text !== null) store.dispatch({ kind: 'noticed', notice: { text, tone: 'plain' } });
  }

  async function showItems(items: AsyncIterable<FeedItem>): Promise<void> {
    let hasConnected = false;
    for await (const item of items) {
      hasConnected ||= item.kind === 'answer';
      // After a reconnect, the server may be a different one. Its clock decides how the rows look, so it is read before they are shown.
      const isNew = item.kind === 'answer' && store.get().rows.connection.state !== 'live';
      if (isNew) await meetServer();
      store.dispatch(item);
      // If the first request refuses the key, the view has nothing to show: the shell shows the error and the exit code.
      if (item.kind === 'stopped' && !hasConnected) return pacer.stop();
      if (item.kind !== 'answer') continue;
      if (item.events.length > 0) void domains.refresh();
      const { panel } = store.get();
      if (panel.open === 'detail' && item.changed.some(({ id }) => id === panel.event.id)) {
        void act({ do: 'load', event: panel.event });
      }
    }
  }

  async function meetServer(): Promise<void> {
    emulator = await findEmulator(settings, fetch);
    store.dispatch({ kind: 'emulator', isThere: emulator !== null });
    await readClock();
  }

  /** Reads the domains on the screen and the clock again from time to time, because not every change of them has an event. */
  async function refresh(): Promise<void> {
    while (!pacer.signal.aborted) {
      await acting.pause(REFRESH_MS);
      await Promise.all([domains.refresh(), readClock()]);
    }
  }

  /** Reads the emulator's clock, by which the view decides whether a time needs its date. */
  async function readClock(): Promise<void> {
    const aheadMs = emulator === null ? null : await askClockAheadMs(baseUrl);
    if (aheadMs !== null) store.dispatch({ kind: 'clock', aheadMs });
  }
}
