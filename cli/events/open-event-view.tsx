import { once } from 'node:events';
import { serverTime } from '../emulator/clock-ahead.ts';
import type { Output } from '../output/output.ts';
import { presentError } from '../runtime/error-presenter.ts';
import { openScreen } from '../screen/open-screen.ts';
import { createScreenStore } from '../screen/screen.tsx';
import type { World } from '../settings/world.ts';
import { runView, type ViewOptions } from './run-view.ts';
import { EventView } from './screen/event-view.tsx';
import type { EventRows } from './view/event-rows.ts';
import { summaryLines } from './view/event-summary.ts';
import type { ViewCommand } from './view/keys/key-steps.ts';
import { initialView, reduceView, type ViewState } from './view/view-state.ts';

interface OpenOptions extends Omit<ViewOptions, 'store'> {
  initial: EventRows;
  /** Lines that the view shows as an introduction. */
  intro: readonly string[];
  color: boolean;
  output: Output;
}

const INTERRUPTED = 130;
/** How often the view updates ages and waiting times, and removes old notices. */
const TICK_MS = 1_000;

/** Shows the event view until the user quits, then prints a summary. Returns the exit code. */
export async function openEventView(options: OpenOptions): Promise<number> {
  const { initial, intro, color, pacer, settings, world, output } = options;
  const { elapsedMs } = world;
  const { mode, baseUrl } = settings;
  const startedMs = elapsedMs();
  const time = (clock: ViewState['clock']) => ({ nowMs: elapsedMs(), now: serverTime(clock) });
  const source = new URL(baseUrl).host;
  const store = createScreenStore(
    reduceView,
    initialView({ source, mode, rows: initial, intro, time: time(null) }),
  );
  let wasInterrupted = false;
  const act = (command: ViewCommand) => {
    if (command.do === 'leave') wasInterrupted = command.interrupted;
    void view.act(command);
  };
  const screen = openScreen(<EventView store={store} act={act} stopJob={world.stopJob} />, {
    ...world,
    color,
    onLost: pacer.stop,
  });
  const ticking = setInterval(
    () => store.dispatch({ kind: 'ticked', time: time(store.get().clock) }),
    TICK_MS,
  );
  const view = runView({ ...options, store });
  try {
    // Normally, the user quits, which stops the pacer. The other promises settle only on an error, which must reach the user. If the feed
    // ends, the view stays open and shows the reason.
    const stopped = pacer.signal.aborted ? null : once(pacer.signal, 'abort');
    await Promise.race([stopped, view.ended, screen.ended]);
  } finally {
    clearInterval(ticking);
    screen.close();
  }
  return leave(store.get(), elapsedMs() - startedMs, wasInterrupted, output, world);
}

/** Prints the summary after the view has closed, because nothing on the alternate screen stays visible. */
async function leave(
  { rows, copied }: ViewState,
  followedMs: number,
  wasInterrupted: boolean,
  output: Output,
  { stdout }: World,
): Promise<number> {
  if (copied !== null) stdout.write(`${copied}\n`);
  for (const line of summaryLines(rows, followedMs).flatMap(output.prose)) stdout.write(`${line}\n`);
  if (rows.connection.state === 'stopped') return presentError(rows.connection.error, output);
  return wasInterrupted ? INTERRUPTED : 0;
}
