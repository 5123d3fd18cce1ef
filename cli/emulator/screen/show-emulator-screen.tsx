import { stripVTControlCharacters } from 'node:util';
import type { Activity } from '../../../emulator/state/activity.ts';
import { readDuration } from '../../../shared/core/instant.ts';
import type { EventDetail } from '../../../shared/schema/event.ts';
import { BAD_MARK, WARNING_MARK } from '../../output/marks.ts';
import { plainTime } from '../../output/plain-text.ts';
import { workWords } from '../../output/work-words.ts';
import { problemOf } from '../../runtime/error-presenter.ts';
import { openUrl } from '../../runtime/open-url.ts';
import type { FooterNotice } from '../../screen/footer.tsx';
import { openScreen } from '../../screen/open-screen.ts';
import { createScreenStore } from '../../screen/screen.tsx';
import type { World } from '../../settings/world.ts';
import { controlOf } from '../emulator-control.ts';
import { type ActivityRow, noteRow, rowOf } from './activity-row.ts';
import { EmulatorView, type ScreenFacts } from './emulator-view.tsx';
import type { ScreenCommand } from './screen-keys.ts';
import { initialScreen, reduceScreen, type ScreenState } from './screen-state.ts';

interface ScreenOptions {
  activity: Activity;
  facts: ScreenFacts;
  clock: { readonly mode: string; readonly offsetMs: number; now(): Date };
  color: boolean;
  world: World;
  /** Called when the user quits, and when the terminal is gone. */
  quit(): void;
  /** Resolves when the emulator has to stop, for any reason. */
  stopped: Promise<void>;
}

const LOOK_MS = 200;
const EXAMPLES = 'Type a duration such as 72h or 90d, or a time such as 2027-01-31T12:00:00Z.';

/** Shows the emulator's activity on a full-screen view until the emulator has to stop. */
export async function showEmulatorScreen(options: ScreenOptions): Promise<void> {
  const { activity, facts, clock, color, world, quit, stopped } = options;
  const { elapsedMs } = world;
  const control = controlOf({ url: facts.url, pid: process.pid }, world);
  const clockNow = () => ({ mode: clock.mode, now: clock.now().toISOString(), aheadMs: clock.offsetMs });
  const store = createScreenStore(reduceScreen, initialScreen(clockNow(), elapsedMs()));
  const { get, dispatch } = store;
  const view = <EmulatorView store={store} facts={facts} act={run} stopJob={world.stopJob} />;
  const screen = openScreen(view, { ...world, color, onLost: quit });
  const stderr = captureStderr((line) =>
    dispatch({ kind: 'happened', rows: [noteRow('log', line, clock.now().getTime(), BAD_MARK)] }),
  );
  let isOpen = true;
  const ended = Promise.race([stopped, screen.ended]).finally(() => {
    isOpen = false;
  });
  try {
    await showCounts();
    while (isOpen) {
      await look();
      await Promise.race([world.sleep(LOOK_MS), ended]);
    }
  } finally {
    screen.close();
    stderr.release();
  }

  /** Adds new activity to the screen, and updates the screen's clock. */
  async function look(): Promise<void> {
    const items = await activity.read();
    if (items.length > 0) dispatch({ kind: 'happened', rows: items.map(rowOf) });
    const { clock: before, counts, notice } = get();
    const now = clockNow();
    // If nothing has happened, the screen changes at most once a second.
    const isSameSecond = plainTime(before.now) === plainTime(now.now) && before.mode === now.mode;
    if (items.length > 0) await showCounts();
    else if (!isSameSecond || notice !== null) showFacts(counts);
  }

  async function showCounts(): Promise<void> {
    showFacts(await activity.counts());
  }

  function showFacts(counts: ScreenState['counts']): void {
    dispatch({ kind: 'facts', counts, clock: clockNow(), nowMs: elapsedMs() });
  }

  async function run(command: ScreenCommand): Promise<void> {
    try {
      const notice = await perform(command);
      if (notice !== null && isOpen) dispatch({ kind: 'noticed', notice });
    } catch (error) {
      if (isOpen) dispatch({ kind: 'noticed', notice: { text: problemOf(error), tone: 'bad' } });
    }
  }

  async function perform(command: ScreenCommand): Promise<FooterNotice | null> {
    switch (command.do) {
      case 'quit':
        quit();
        return null;
      case 'open':
        await openUrl(`${facts.url}/dashboard`);
        return { text: `Opened ${facts.url}/dashboard.`, tone: 'good' };
      case 'reset':
        await control.request({ method: 'POST', path: '/_emulator/reset', body: {} });
        dispatch({ kind: 'happened', rows: [noteRow(null, 'reset', clock.now().getTime(), WARNING_MARK)] });
        await showCounts();
        return { text: 'Emulator reset.', tone: 'good' };
      case 'next':
        return advance({ until: 'next' });
      case 'advance':
        if (readDuration(command.text) !== null) return advance({ by: command.text });
        if (!Number.isNaN(Date.parse(command.text))) return advance({ to: command.text });
        return { text: `${command.text} is neither a duration nor a time. ${EXAMPLES}`, tone: 'bad' };
      case 'load':
        await load(command.row);
        return null;
    }
  }

  async function load(row: ActivityRow): Promise<void> {
    if (row.item === null || !('event_id' in row.item)) return;
    const path = `/_emulator/events/${row.item.event_id}`;
    const event = await control.request<EventDetail>({ method: 'GET', path });
    dispatch({ kind: 'loaded', row, event });
  }

  async function advance(body: object): Promise<FooterNotice> {
    dispatch({ kind: 'noticed', notice: { text: 'Moving the clock …', tone: 'plain' } });
    const path = '/_emulator/clock/advance';
    type Moved = { now: string; done: Record<string, number> };
    const { now, done } = await control.request<Moved>({ method: 'POST', path, body });
    showFacts(get().counts);
    const work = workWords(done) || 'no work was due';
    return { text: `The clock is at ${plainTime(now)}. Done: ${work}.`, tone: 'good' };
  }
}

/** The number of captured stderr lines that are repeated on the terminal after the screen closes. */
const KEPT_MAX = 100;

/**
 * Passes each line that this process writes to stderr to a full-screen view, because a direct write would damage the view. The emulator and
 * Node write warnings there. @returns `release`, which restores stderr and then writes the newest captured lines to it.
 */
function captureStderr(onLine: (line: string) => void): { release(): void } {
  const { stderr } = process;
  const write = stderr.write;
  const kept: string[] = [];
  stderr.write = ((chunk: string | Uint8Array) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
      kept.push(line);
      if (kept.length > KEPT_MAX) kept.shift();
      onLine(stripVTControlCharacters(line));
    }
    return true;
  }) as typeof stderr.write;
  return {
    release() {
      stderr.write = write;
      if (kept.length > 0) stderr.write(`${kept.join('\n')}\n`);
    },
  };
}
