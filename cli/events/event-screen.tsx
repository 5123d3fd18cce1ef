import {
  Box,
  type Instance,
  type Key,
  render,
  Text,
  useApp,
  useInput,
  usePaste,
  useStdin,
  useStdout,
  useWindowSize,
} from 'ink';
import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import type { Output } from '../output/output.ts';
import { painted } from '../terminal/line.ts';
import { drawFrame, type FrameTime } from './drawing/draw-frame.ts';
import type { KeyPress, ViewCommand } from './view/keys/key-outcome.ts';
import { pressKey } from './view/press-key.ts';
import type { ViewStore } from './view/view-store.ts';

interface EventScreenProps {
  store: ViewStore;
  act(command: ViewCommand): void;
  /** Suspends the job. Returns when the job resumes. */
  stopJob(): void;
  time(): FrameTime;
  paint: Output['paint'];
}

/** The interval for redrawing ages and waits. */
const TICK_MS = 1_000;
/** A slow connection may deliver some keys together. More than this is a paste on a terminal without bracketed paste. */
const KEYS_AT_ONCE_MAX = 8;

/** Draws the view on the terminal's current screen, in place of the first frame, until it is unmounted. */
export function renderScreen(props: EventScreenProps): Instance {
  process.stdout.write(CLEAR);
  return render(<EventScreen {...props} />, {
    interactive: true,
    incrementalRendering: true,
    // The view handles Ctrl-C like any other key, so that it can print the summary.
    exitOnCtrlC: false,
    patchConsole: false,
    // Ink delays a frame that follows the previous one too soon. A key must not wait for that.
    maxFps: 1000,
  });
}

/** Draws the event view on a terminal, and passes keys to it. */
export function EventScreen({ store, act, stopJob, time, paint }: EventScreenProps) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  useTick();
  useFullRedraw();
  useEffect(() => store.dispatch({ kind: 'screen', size: { columns, rows } }), [store, columns, rows]);

  const press = (key: KeyPress) => {
    const { actions, command, stopsJob } = pressKey(store.get(), key);
    for (const action of actions) store.dispatch(action);
    if (command) act(command);
    if (stopsJob) void suspendTerminal(stopJob);
  };
  useInput((input, key) => {
    const presses = pressesOf(input, key);
    const isPaste = presses.length > KEYS_AT_ONCE_MAX;
    for (const one of presses) {
      const isText = store.get().panel.open === 'filter' || one.text === '/';
      if (isText || !isPaste) press(one);
    }
  });
  useMouse(press);
  // Pasted text goes into the filter and never acts as keys.
  usePaste((text) => {
    if (store.get().panel.open === 'filter') press({ name: '', text });
  });

  return (
    <Box flexDirection="column">
      {drawFrame(state, time()).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen has no identity but its position
        <ScreenLine key={index} text={painted(line, paint) || ' '} />
      ))}
    </Box>
  );
}

/** Memoized, so that an unchanged line is not rendered again. */
const ScreenLine = memo(({ text }: { text: string }) => <Text wrap="truncate">{text}</Text>);

/** Matches a report of the mouse (xterm, SGR): the button, the column, the line from 1, and whether it was pressed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report starts with the escape character
const MOUSE_REPORT = /\u001b\[<(\d+);\d+;(\d+)([Mm])/g;
const MOUSE_BUTTONS: Record<string, string> = { '0': 'click', '64': 'wheelup', '65': 'wheeldown' };

/** Reads the reports of the mouse, which Ink drops, from the same stream as Ink. Must come after `useInput`, which makes Ink read it. */
function useMouse(press: (key: KeyPress) => void): void {
  const { stdin } = useStdin();
  useEffect(() => {
    const read = (chunk: unknown) => {
      for (const [, button = '', line, state] of String(chunk).matchAll(MOUSE_REPORT)) {
        const name = state === 'M' ? MOUSE_BUTTONS[button] : undefined;
        if (name !== undefined) press({ name, text: '', line: Number(line) - 1 });
      }
    };
    // A listener for data gets what Ink reads, because Ink listens for `readable`.
    stdin.on('data', read);
    return () => void stdin.off('data', read);
  });
}

function useTick(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Moves the cursor to the top left and erases everything below, which removes the rest of an earlier frame. */
const CLEAR = '\u001b[H\u001b[J';
/** Longer than Ink delays a frame, so that no frame of the old size comes later. */
const RESIZED_MS = 50;

/**
 * Redraws the whole screen after a resize. A resize moves or drops lines, but Ink redraws only changed lines, relative to the cursor.
 * Listens for the signal, because the size may be the same again: a terminal that shrank and grew has lost lines.
 */
function useFullRedraw(): void {
  const { write } = useStdout();
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const redraw = () => {
      clearTimeout(timer);
      timer = setTimeout(() => write(CLEAR), RESIZED_MS);
    };
    process.on('SIGWINCH', redraw);
    return () => {
      clearTimeout(timer);
      process.off('SIGWINCH', redraw);
    };
  }, [write]);
}

const NAMES = {
  upArrow: 'up',
  downArrow: 'down',
  leftArrow: 'left',
  rightArrow: 'right',
  pageUp: 'pageup',
  pageDown: 'pagedown',
  home: 'home',
  end: 'end',
  return: 'enter',
  escape: 'escape',
  tab: 'tab',
  backspace: 'backspace',
  // Most terminals send this for the Backspace key.
  delete: 'backspace',
} as const satisfies Partial<Record<keyof Key, string>>;

/** The characters of named keys, for input that holds several keys. */
const CONTROLS: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
};

function pressesOf(input: string, key: Key): KeyPress[] {
  const named = Object.entries(NAMES).find(([field]) => key[field as keyof typeof NAMES]);
  if (named) return [{ name: named[1], text: '' }];
  if (key.ctrl) return [{ name: `ctrl-${input}`, text: '' }];
  if (key.meta) return [];
  return [...input].map((text) =>
    text in CONTROLS ? { name: CONTROLS[text] ?? '', text: '' } : { name: '', text },
  );
}
