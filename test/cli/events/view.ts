import { drawFrame } from '../../../cli/events/drawing/draw-frame.ts';
import type { ViewCommand } from '../../../cli/events/view/keys/key-outcome.ts';
import { pressKey } from '../../../cli/events/view/press-key.ts';
import {
  initialView,
  reduceView,
  type ViewAction,
  type ViewState,
} from '../../../cli/events/view/view-state.ts';
import type { ScreenSize } from '../../../cli/terminal/full-screen.ts';
import type { EventResource } from '../../../shared/schema/event.ts';

/** The event view without a terminal: its state, the keys pressed, and the lines that it would draw. */
export interface View {
  state: ViewState;
  /** The commands that the view has given in response to keys, in order. */
  deeds: ViewCommand[];
  do(...actions: ViewAction[]): View;
  /** Presses keys by their names, such as `enter`. Types any other text. */
  press(...keys: string[]): View;
  /** Clicks a line of the screen, from 0. */
  click(line: number): View;
  /** Returns the lines that would be on the screen. */
  screen(nowMs?: number): string[];
}

const NAMED =
  /^(up|down|left|right|enter|escape|home|end|pageup|pagedown|backspace|tab|wheelup|wheeldown|ctrl-.)$/;

export function viewOf(
  events: EventResource[],
  size: ScreenSize = { columns: 80, rows: 24 },
  mode: ViewState['mode'] = 'test',
): View {
  const view: View = {
    state: initialView({ source: '127.0.0.1:4400', size, mode }),
    deeds: [],
    do(...actions) {
      view.state = actions.reduce(reduceView, view.state);
      return view;
    },
    press(...keys) {
      for (const key of keys) {
        const press = NAMED.test(key) ? { name: key, text: '' } : { name: '', text: key };
        const { actions, command } = pressKey(view.state, press);
        view.do(...actions);
        if (command) view.deeds.push(command);
      }
      return view;
    },
    click(line) {
      return view.do(...pressKey(view.state, { name: 'click', text: '', line }).actions);
    },
    screen(nowMs = 0) {
      const lines = drawFrame(view.state, { nowMs, now: '2026-11-20T13:00:00.000Z' });
      return lines.map((line) =>
        line
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      );
    },
  };
  return events.length === 0 ? view : view.do(answer(events));
}

export function answer(events: EventResource[], changed: EventResource[] = []): ViewAction {
  return { kind: 'answer', atMs: 0, events, changed, gap: null, wasReset: false };
}
