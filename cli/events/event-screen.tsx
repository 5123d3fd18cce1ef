import { Box, type Key, Text, useApp, useInput, usePaste, useStdout, useWindowSize } from 'ink';
import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import type { Output } from '../output/output.ts';
import { drawFrame, type FrameTime } from './drawing/draw-frame.ts';
import type { Line } from './drawing/line.ts';
import { type Deed, type KeyPress, pressKey } from './view/press-key.ts';
import type { ViewStore } from './view/view-store.ts';

interface EventScreenProps {
  store: ViewStore;
  act(deed: Deed): void;
  /** Returns when the job goes on. */
  stopJob(): void;
  time(): FrameTime;
  paint: Output['paint'];
}

/** How often ages and waits are drawn anew. */
const TICK_MS = 1_000;
/** A slow line brings some keys together; more at once is a paste into a terminal that does not mark it. */
const KEYS_AT_ONCE_MAX = 8;

/** The event view on a terminal: the state drawn, and keys taken to it. */
export function EventScreen({ store, act, stopJob, time, paint }: EventScreenProps) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  useTick();
  useFullRedraw();
  useEffect(() => store.dispatch({ kind: 'screen', size: { columns, rows } }), [store, columns, rows]);

  const press = (key: KeyPress) => {
    const { actions, deed, stops_job } = pressKey(store.get(), key);
    for (const action of actions) store.dispatch(action);
    if (deed) act(deed);
    if (stops_job) void suspendTerminal(stopJob);
  };
  useInput((input, key) => {
    const presses = pressesOf(input, key);
    const is_paste = presses.length > KEYS_AT_ONCE_MAX;
    for (const one of presses) {
      const is_text = store.get().panel.open === 'filter' || one.text === '/';
      if (is_text || !is_paste) press(one);
    }
  });
  // What is pasted is text for the filter, and never a row of keys.
  usePaste((text) => {
    if (store.get().panel.open === 'filter') press({ name: '', text });
  });

  return (
    <Box flexDirection="column">
      {drawFrame(state, time()).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is known by its place alone
        <ScreenLine key={index} text={painted(line, paint) || ' '} />
      ))}
    </Box>
  );
}

/** A line that stays as it is costs nothing. */
const ScreenLine = memo(({ text }: { text: string }) => <Text wrap="truncate">{text}</Text>);

function useTick(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}

/** To the first line and column, and erase all below: what stays of an earlier frame is gone. */
const CLEAR = '\u001b[H\u001b[J';
/** Longer than Ink holds a frame back, so that none of the old size comes after. */
const RESIZED_MS = 50;

/**
 * Draws the whole screen anew after a resize. A terminal moves or drops lines then, and Ink draws only the lines that changed, from
 * where it left the cursor. The signal comes also if the size is as before: a terminal that shrank and grew again has lost lines.
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

function painted(line: Line, paint: Output['paint']): string {
  return line.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join('');
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
  backspace: 'backspace',
  // What most terminals send for the key above Enter.
  delete: 'backspace',
} as const satisfies Partial<Record<keyof Key, string>>;

/** What a terminal sends for keys that have a name, where several keys come at once. */
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
