import { createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';
import type { Output } from '../output/output.ts';
import { presentError } from '../runtime/error-presenter.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { createDomainCommands } from './commands/domain-commands.ts';
import { createCommandRunner } from './commands/view-commands.ts';
import { type EmulatorLink, findEmulator } from './emulator-link.ts';
import { openEventScreen } from './event-screen.ts';
import type { FeedItem } from './follow-events.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { EventRows } from './view/event-rows.ts';
import { summaryLines } from './view/event-summary.ts';
import type { ViewCommand } from './view/keys/key-outcome.ts';
import { initialView, type ViewState } from './view/view-state.ts';
import { createViewStore } from './view/view-store.ts';

interface ScreenOptions {
  feed: AsyncIterable<FeedItem>;
  initial: EventRows;
  pacer: Pacer;
  settings: CliSettings;
  secret: string | null;
  world: World;
  output: Output;
}

const INTERRUPTED = 130;
const DOMAINS_REFRESH_MS = 3_000;

/** Shows the event view until the user quits, then prints a summary. Returns the exit code. */
export async function openScreen(options: ScreenOptions): Promise<number> {
  const { feed, initial, pacer, settings, secret, world, output } = options;
  const { baseUrl, apiKey } = settings;
  const { elapsedMs } = world;
  // Requests in progress are aborted when the view ends.
  const fetch: Fetch = (url, init) =>
    nodeFetch(url, { ...init, signal: AbortSignal.any([init.signal, pacer.signal]) });
  const startedMs = elapsedMs();
  const { mode } = settings;
  const source = new URL(baseUrl).host;
  const size = { columns: world.stdout.columns || 80, rows: world.stdout.rows || 24 };
  const store = createViewStore(initialView({ source, mode, size, rows: initial }));
  let emulator: EmulatorLink | null = null;
  let wasInterrupted = false;
  // The stream has its own pacer, because a new event ends the polling pacer's pauses.
  const acting = createPacer();
  pacer.signal.addEventListener('abort', acting.stop);
  // The timeout is short, because a person is waiting at the screen.
  const client = createClient({ baseUrl, apiKey, fetch, retries: 2, maxWaitMs: 3_000, sleep: acting.pause });
  const domains = createDomainCommands(store, client);
  const runCommand = createCommandRunner({
    store,
    client,
    domains,
    pacer,
    emulator: () => emulator,
    settings,
    secret,
    setMouse: (on) => screen.setMouse(on),
    world,
  });
  const act = (command: ViewCommand) => {
    if (command.do === 'leave') wasInterrupted = command.interrupted;
    void runCommand(command);
  };
  const time = () => ({ nowMs: elapsedMs(), now: new Date().toISOString() });
  const screen = openEventScreen({ store, act, time, paint: output.paint, world });
  try {
    // Normally the pacer ends first. The other settles only on a bug, whose error must not be lost.
    await Promise.race([stopped(pacer), Promise.all([showFeed(), refreshDomains()])]);
  } finally {
    screen.close();
  }
  return leave(store.get(), elapsedMs() - startedMs, wasInterrupted, options);

  async function showFeed(): Promise<void> {
    let hasConnected = false;
    for await (const item of feed) {
      hasConnected ||= item.kind === 'answer';
      const wasLive = store.get().rows.connection.state === 'live';
      store.dispatch(item);
      // If the first request refuses the key, the view has nothing to show: the shell shows the error and the exit code.
      if (item.kind === 'stopped' && !hasConnected) return pacer.stop();
      if (item.kind !== 'answer') continue;
      // After a reconnect, the server may be a different one.
      if (!wasLive) {
        emulator = await findEmulator(settings, fetch);
        store.dispatch({ kind: 'emulator', isThere: emulator !== null });
      }
      if (item.events.length > 0) void domains.refresh();
      const { panel } = store.get();
      if (panel.open === 'detail' && item.changed.some(({ id }) => id === panel.event.id)) {
        act({ do: 'load', event: panel.event });
      }
    }
  }

  /** Reads the domains on the screen again from time to time, because not every change of a domain has an event. */
  async function refreshDomains(): Promise<void> {
    while (!pacer.signal.aborted) {
      await acting.pause(DOMAINS_REFRESH_MS);
      await domains.refresh();
    }
  }
}

/** Resolves when the pacer stops. A feed that ends does not close the screen, which keeps showing the reason. */
function stopped({ signal }: Pacer): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Prints the summary on the terminal's normal screen, because the alternate screen leaves nothing behind. */
function leave(
  { rows, copied }: ViewState,
  followedMs: number,
  wasInterrupted: boolean,
  { output, world }: ScreenOptions,
): number {
  if (copied !== null) world.stdout.write(`${copied}\n`);
  for (const line of summaryLines(rows, followedMs)) world.stdout.write(`${line}\n`);
  if (rows.connection.state === 'stopped') return presentError(rows.connection.error, output);
  return wasInterrupted ? INTERRUPTED : 0;
}
