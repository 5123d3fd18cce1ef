import { render } from 'ink';
import { createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';
import type { Output } from '../output/output.ts';
import { presentError } from '../runtime/error-presenter.ts';
import type { Settings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { type EmulatorLink, findEmulator } from './emulator-link.ts';
import { EventScreen } from './event-screen.tsx';
import type { FeedItem } from './follow-events.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { EventRows } from './view/event-rows.ts';
import { summaryLines } from './view/event-summary.ts';
import type { Deed } from './view/press-key.ts';
import { createDeeds } from './view/view-deeds.ts';
import { initialView } from './view/view-state.ts';
import { createViewStore } from './view/view-store.ts';

interface ScreenOptions {
  feed: AsyncIterable<FeedItem>;
  initial: EventRows;
  pacer: Pacer;
  settings: Settings;
  secret: string | null;
  world: World;
  output: Output;
}

const INTERRUPTED = 130;

/** Shows the event view until it is left, then prints what was seen. @returns the exit code. */
export async function openScreen(options: ScreenOptions): Promise<number> {
  const { feed, initial, pacer, settings, secret, world, output } = options;
  const { base_url, api_key } = settings;
  const { elapsed_ms } = world;
  // What is under way ends with the view.
  const fetch: Fetch = (url, init) =>
    nodeFetch(url, { ...init, signal: AbortSignal.any([init.signal, pacer.signal]) });
  const started_ms = elapsed_ms();
  const source = `${settings.mode} · ${new URL(base_url).host}`;
  const size = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
  const store = createViewStore(initialView({ source, size, rows: initial }));
  let emulator: EmulatorLink | null = null;
  let was_interrupted = false;
  // Its pauses are not those of the polling, which a new event ends.
  const acting = createPacer();
  pacer.signal.addEventListener('abort', acting.stop);
  const deeds = createDeeds({
    store,
    // Somebody waits at the screen: what cannot be had soon is said.
    client: createClient({ base_url, api_key, fetch, retries: 2, wait_ms_max: 3_000, sleep: acting.pause }),
    pacer,
    emulator: () => emulator,
    secret,
    terminal: world.stdout,
    elapsed_ms,
  });
  const act = (deed: Deed) => {
    if (deed.do === 'leave') was_interrupted = deed.interrupted;
    void deeds(deed);
  };
  const time = () => ({ now_ms: elapsed_ms(), now: new Date().toISOString() });
  const screen = render(
    <EventScreen store={store} act={act} stopJob={world.stopJob} time={time} paint={output.paint} />,
    {
      alternateScreen: true,
      interactive: true,
      incrementalRendering: true,
      // Ctrl-C is a key like others here: it leaves, and the summary is printed.
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 60,
    },
  );
  try {
    // The others end it too, but only by a mistake of ours.
    await Promise.race([stopped(pacer), screen.waitUntilExit(), showFeed().then(() => stopped(pacer))]);
  } finally {
    screen.unmount();
    await screen.waitUntilExit();
  }
  return leave(store.get().rows, elapsed_ms() - started_ms, was_interrupted, options);

  async function showFeed(): Promise<void> {
    let hasConnected = false;
    for await (const item of feed) {
      hasConnected ||= item.kind === 'answer';
      const was_live = store.get().rows.connection.state === 'live';
      store.dispatch(item);
      // If the first request refuses the key, the view has nothing to show: the shell shows the error and the exit code.
      if (item.kind === 'stopped' && !hasConnected) return pacer.stop();
      if (item.kind !== 'answer') continue;
      // Who answers anew may be another than before.
      if (!was_live) {
        emulator = await findEmulator(settings, fetch);
        store.dispatch({ kind: 'emulator', is_there: emulator !== null });
      }
      const { panel } = store.get();
      if (panel.open === 'detail' && item.changed.some(({ id }) => id === panel.event.id)) {
        act({ do: 'load', event: panel.event });
      }
    }
  }
}

/** A feed that has stopped leaves its reason on the screen. */
function stopped({ signal }: Pacer): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** On the screen that the terminal had before: nothing of the other one is left there. */
function leave(
  rows: EventRows,
  followed_ms: number,
  was_interrupted: boolean,
  { output, world }: ScreenOptions,
): number {
  for (const line of summaryLines(rows, followed_ms)) world.stdout.write(`${line}\n`);
  if (rows.connection.state === 'stopped') return presentError(rows.connection.error, output);
  return was_interrupted ? INTERRUPTED : 0;
}
