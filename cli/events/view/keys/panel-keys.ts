import type { Panel, ViewState } from '../view-state.ts';
import { DOMAIN_KEYS, DOMAIN_LIST_KEYS } from './domain-keys.ts';
import { DETAIL_KEYS, EVENT_KEYS, EVENT_LIST_KEYS } from './event-keys.ts';
import { type Bindings, COMMON_KEYS, change, close, type KeyHandler } from './key-outcome.ts';

function byScreens(screens: number): KeyHandler {
  return ({ scroll: { height } }) => ({
    actions: [{ kind: 'scrolled', by: screens * Math.max(1, height - 1) }],
  });
}

const byLines = (lines: number) => change({ kind: 'scrolled', by: lines });
const first = byLines(Number.NEGATIVE_INFINITY);
const last = byLines(Number.POSITIVE_INFINITY);

/** Keys of a panel that covers the list. */
const SCROLL_KEYS: Bindings = [
  {
    shown: '',
    does: 'scroll',
    keys: {
      up: byLines(-1),
      k: byLines(-1),
      down: byLines(1),
      j: byLines(1),
      pageup: byScreens(-1),
      pagedown: byScreens(1),
      ' ': byScreens(1),
      home: first,
      g: first,
      end: last,
      G: last,
    },
  },
  { shown: '', does: 'close', keys: { left: close, enter: close, escape: close, q: close } },
];

const back = change({ kind: 'chosen', by: -1 });
const forth = change({ kind: 'chosen', by: 1 });

const TRIGGER_KEYS: Bindings = [
  { shown: '', does: 'choose', keys: { left: back, up: back, k: back, right: forth, down: forth, j: forth } },
  {
    shown: '',
    does: 'confirm',
    keys: {
      enter({ panel }) {
        const name = panel.open === 'trigger' ? panel.names[panel.chosen] : undefined;
        if (panel.open !== 'trigger' || name === undefined) return close();
        return { ...close(), command: { do: 'trigger', domain: panel.domain, name } };
      },
      escape: close,
      q: close,
    },
  },
];

const CONFIRM_KEYS: Bindings = [
  {
    shown: '',
    does: 'confirm',
    keys: {
      enter({ panel }) {
        if (panel.open !== 'confirm') return close();
        const { events } = panel;
        const [event] = events;
        if (events.length > 1 || event === undefined)
          return { ...close(), command: { do: 'redeliver_all', events } };
        return { ...close(), command: { do: 'redeliver', event } };
      },
      escape: close,
      q: close,
    },
  },
];

const PANEL_KEYS: Record<Exclude<Panel['open'], 'list' | 'filter'>, readonly Bindings[]> = {
  detail: [SCROLL_KEYS, DETAIL_KEYS, EVENT_KEYS, COMMON_KEYS],
  domain: [SCROLL_KEYS, DOMAIN_KEYS, COMMON_KEYS],
  text: [SCROLL_KEYS, COMMON_KEYS],
  help: [SCROLL_KEYS, [{ shown: '', does: 'close', keys: { '?': close } }], COMMON_KEYS],
  trigger: [TRIGGER_KEYS],
  confirm: [CONFIRM_KEYS],
};

/** Returns the keys that work now, in every panel but the filter, where keys are text. */
export function bindingsOf({ panel, screen }: ViewState): readonly Bindings[] {
  if (panel.open === 'filter') return [];
  if (panel.open !== 'list') return PANEL_KEYS[panel.open];
  return [screen === 'events' ? EVENT_LIST_KEYS : DOMAIN_LIST_KEYS];
}

/** The keys that `?` shows on each screen. */
export const HELP: Record<ViewState['screen'], Bindings> = {
  events: [...EVENT_LIST_KEYS, ...DETAIL_KEYS],
  domains: DOMAIN_LIST_KEYS,
};
