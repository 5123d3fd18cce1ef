import type { Activity } from '../../../emulator/state/activity.ts';
import { readDuration } from '../../../shared/core/text/duration.ts';
import type { Output } from '../../output/output.ts';
import { plainTime } from '../../output/plain-text.ts';
import { workWords } from '../../output/work-words.ts';
import { describeError } from '../../runtime/error-presenter.ts';
import { openUrl } from '../../runtime/open-url.ts';
import type { World } from '../../settings/world.ts';
import { openFullScreen } from '../../terminal/full-screen.ts';
import { isPasted, type KeyPress } from '../../terminal/read-keys.ts';
import { controlOf } from '../emulator-control.ts';
import { noteRow, rowOf } from './activity-row.ts';
import { captureStderr } from './capture-stderr.ts';
import { drawScreen, type ScreenFacts } from './draw-screen.ts';
import { pressScreenKey, type ScreenCommand } from './screen-keys.ts';
import { initialScreen, reduceScreen, type ScreenAction, type ScreenNotice } from './screen-state.ts';

interface ScreenOptions {
  activity: Activity;
  facts: ScreenFacts;
  clock: { readonly mode: string; now(): Date };
  output: Output;
  world: World;
  /** Called when the user quits. */
  quit(): void;
  /** Resolves when the emulator has to stop, for any reason. */
  stopped: Promise<void>;
}

interface Moved {
  now: string;
  done: Record<string, number>;
}

const LOOK_MS = 200;

/** Shows what happens in the emulator until it has to stop. */
export async function showEmulatorScreen(options: ScreenOptions): Promise<void> {
  const { activity, facts, clock, output, world, quit, stopped } = options;
  const control = controlOf({ url: facts.url, pid: process.pid }, world);
  const clockNow = () => ({ mode: clock.mode, now: clock.now().toISOString() });
  const { stdin, stdout } = world;
  const emptied = () => dispatch({ kind: 'resized', size: screen.size() });
  const screen = openFullScreen({ stdin, stdout, paint: output.paint, hasMouse: false, pressed, emptied });
  let state = initialScreen(screen.size(), clockNow());
  const stderr = captureStderr((line) =>
    dispatch({ kind: 'happened', rows: [noteRow('log', line, clock.now().getTime(), 'red')] }),
  );
  let isOpen = true;
  void stopped.then(() => {
    isOpen = false;
  });
  try {
    dispatch({ kind: 'facts', counts: await activity.counts(), clock: clockNow() });
    while (isOpen) {
      await look();
      await Promise.race([world.sleep(LOOK_MS), stopped]);
    }
  } finally {
    screen.close();
    stderr.release();
  }

  /** Adds new entries, and sets the clock of the screen. */
  async function look(): Promise<void> {
    const items = await activity.read();
    if (items.length > 0) dispatch({ kind: 'happened', rows: items.map(rowOf) });
    const before = state.clock;
    const now = clockNow();
    // Without news, the screen changes once a second.
    const isSameSecond = plainTime(before.now) === plainTime(now.now) && before.mode === now.mode;
    if (items.length === 0 && isSameSecond) return;
    dispatch({
      kind: 'facts',
      counts: items.length > 0 ? await activity.counts() : state.counts,
      clock: now,
    });
  }

  function dispatch(action: ScreenAction): void {
    state = reduceScreen(state, action);
    screen.draw(drawScreen(state, facts));
  }

  function pressed(keys: readonly KeyPress[]): void {
    for (const key of keys) {
      // Pasted text goes into the prompt, and never acts as keys. A key typed just before or after it still acts.
      if (isPasted(key, keys) && state.panel.open !== 'advance') continue;
      for (const each of key.name === 'paste' ? key.text : [key.name || key.text]) press(each);
    }
  }

  function press(key: string): void {
    const { actions, command } = pressScreenKey(state, key);
    for (const action of actions) dispatch(action);
    if (command !== undefined) void run(command);
  }

  async function run(command: ScreenCommand): Promise<void> {
    try {
      const notice = await perform(command);
      if (notice !== null && isOpen) dispatch({ kind: 'noticed', notice });
    } catch (error) {
      const { message, fix } = describeError(error);
      if (isOpen) dispatch({ kind: 'noticed', notice: { text: `${message} ${fix}`, tone: 'bad' } });
    }
  }

  async function perform(command: ScreenCommand): Promise<ScreenNotice | null> {
    switch (command.do) {
      case 'quit':
        quit();
        return null;
      case 'suspend':
        screen.suspend(world.stopJob);
        return null;
      case 'open':
        await openUrl(`${facts.url}/dashboard`);
        return { text: `Opened ${facts.url}/dashboard.`, tone: 'good' };
      case 'reset':
        await control.request({ method: 'POST', path: '/_emulator/reset', body: {} });
        dispatch({ kind: 'happened', rows: [noteRow(null, 'reset', clock.now().getTime(), 'yellow')] });
        dispatch({ kind: 'facts', counts: await activity.counts(), clock: clockNow() });
        return { text: 'Emulator reset.', tone: 'good' };
      case 'next':
        return advance({ until: 'next' });
      case 'advance':
        return advance(readDuration(command.text) === null ? { to: command.text } : { by: command.text });
    }
  }

  async function advance(body: object): Promise<ScreenNotice> {
    dispatch({ kind: 'noticed', notice: { text: 'Moving the clock …', tone: 'plain' } });
    const path = '/_emulator/clock/advance';
    const { now, done } = await control.request<Moved>({ method: 'POST', path, body });
    return {
      text: `The clock is at ${plainTime(now)}. Done: ${workWords(done) || 'no work was due'}.`,
      tone: 'good',
    };
  }
}
