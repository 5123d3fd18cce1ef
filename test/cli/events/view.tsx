import { EventView } from '../../../cli/events/screen/event-view.tsx';
import type { ViewCommand } from '../../../cli/events/view/keys/key-steps.ts';
import { pressKey } from '../../../cli/events/view/keys/panel-keys.ts';
import {
  initialView,
  reduceView,
  type ViewAction,
  type ViewState,
} from '../../../cli/events/view/view-state.ts';
import { createScreenStore } from '../../../cli/screen/screen.tsx';
import type { EventResource } from '../../../shared/schema/event.ts';
import { draw } from '../screen/drawn.ts';

/** The event view without a terminal. A test presses keys, and reads the view's state and the lines that it would draw. */
export interface View {
  state: ViewState;
  /** The commands that the view has given in response to keys, in order. */
  deeds: ViewCommand[];
  do(...actions: ViewAction[]): View;
  /** Presses keys by their names, such as `enter`. Types any text that is not a key's name. */
  press(...keys: string[]): View;
  /** Returns the lines that would be on the screen. */
  screen(nowMs?: number, at?: { columns: number; rows: number }): Promise<string[]>;
}

const NAMED = /^(up|down|left|right|enter|escape|home|end|pageup|pagedown|backspace|tab|ctrl-.)$/;
export const NOW = '2026-11-20T13:00:00.000Z';

export function viewOf(
  events: EventResource[],
  size: { columns: number; rows: number } = { columns: 80, rows: 24 },
  mode: ViewState['mode'] = 'test',
): View {
  const view: View = {
    state: initialView({ source: '127.0.0.1:4400', mode, time: { nowMs: 0, now: NOW } }),
    deeds: [],
    do(...actions) {
      view.state = actions.reduce(reduceView, view.state);
      return view;
    },
    press(...keys) {
      for (const key of keys) {
        const press = NAMED.test(key) ? { name: key, text: '' } : { name: '', text: key };
        for (const step of pressKey(view.state, { ...press, isPasted: false })) {
          if ('do' in step) view.deeds.push(step);
          else view.do(step);
        }
      }
      return view;
    },
    async screen(nowMs = 0, at = size) {
      const store = createScreenStore(
        reduceView,
        reduceView(view.state, { kind: 'ticked', time: { nowMs, now: view.state.time.now } }),
      );
      const ignore = () => undefined;
      using drawn = await draw(<EventView store={store} act={ignore} stopJob={ignore} />, at);
      // Drawing has changed the view's state, which now has the number of rows that fit on the screen.
      view.state = store.get();
      return drawn.lines();
    },
  };
  view.do({ kind: 'resized', height: 18 });
  return events.length === 0 ? view : view.do(answer(events));
}

export function answer(events: EventResource[], changed: EventResource[] = []): ViewAction {
  return { kind: 'answer', atMs: 0, events, changed, gap: null, wasReset: false };
}
