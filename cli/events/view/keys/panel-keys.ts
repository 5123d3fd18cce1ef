import { bind, handlerOf, moveKeys } from '../../../screen/key-bindings.ts';
import type { KeyPress } from '../../../screen/use-keys.ts';
import type { Panel, ViewState } from '../view-state.ts';
import { DOMAIN_KEYS, DOMAIN_LIST_KEYS } from './domain-keys.ts';
import { DETAIL_KEYS, EVENT_KEYS, EVENT_LIST_KEYS } from './event-keys.ts';
import { typeFilter } from './filter-keys.ts';
import {
  type Bindings,
  COMMON_KEYS,
  change,
  close,
  type KeyHandler,
  type KeyOutcome,
  NOTHING,
  run,
} from './key-outcome.ts';

function byScreens(screens: number): KeyHandler {
  return ({ scroll: { height } }) => ({
    actions: [{ kind: 'scrolled', by: screens * Math.max(1, height - 1) }],
  });
}

const byLines = (lines: number) => change({ kind: 'scrolled', by: lines });
const first = byLines(Number.NEGATIVE_INFINITY);
const last = byLines(Number.POSITIVE_INFINITY);

const MOVES = moveKeys({ lines: byLines, screens: byScreens, first, last });

/** Keys of a panel that covers the list. */
const SCROLL_KEYS: Bindings = [
  bind('', 'scroll', { ...MOVES.lines, ...MOVES.screens, ...MOVES.ends, space: byScreens(1) }),
  bind('', 'close', { 'left enter escape q': close }),
];

const choose = (by: number) => change({ kind: 'chosen', by });

const TRIGGER_KEYS: Bindings = [
  bind('', 'choose', { 'left up k': choose(-1), 'right down j': choose(1) }),
  bind('', 'confirm', { enter: pullTrigger, 'escape q': close }),
];

const CONFIRM_KEYS: Bindings = [bind('', 'confirm', { enter: redeliver, 'escape q': close })];

function pullTrigger({ panel }: ViewState): KeyOutcome {
  const name = panel.open === 'trigger' ? panel.names[panel.chosen] : undefined;
  if (panel.open !== 'trigger' || name === undefined) return close();
  return { ...close(), command: { do: 'trigger', domain: panel.domain, name } };
}

function redeliver({ panel }: ViewState): KeyOutcome {
  if (panel.open !== 'confirm') return close();
  const { events } = panel;
  const [event] = events;
  const isOne = events.length === 1 && event !== undefined;
  return { ...close(), command: isOne ? { do: 'redeliver', event } : { do: 'redeliver_all', events } };
}

const PANEL_KEYS: Record<Exclude<Panel['open'], 'list' | 'filter'>, readonly Bindings[]> = {
  detail: [SCROLL_KEYS, DETAIL_KEYS, EVENT_KEYS, COMMON_KEYS],
  domain: [SCROLL_KEYS, DOMAIN_KEYS, COMMON_KEYS],
  text: [SCROLL_KEYS, COMMON_KEYS],
  help: [SCROLL_KEYS, [bind('', 'close', { '?': close })], COMMON_KEYS],
  trigger: [TRIGGER_KEYS],
  confirm: [CONFIRM_KEYS],
};

/** Returns the effect of a key in the current state. A pure function: the caller runs the command. */
export function pressKey(state: ViewState, key: KeyPress): KeyOutcome {
  if (key.name === 'ctrl-c') return run({ do: 'leave', interrupted: true });
  const { panel, screen } = state;
  if (panel.open === 'filter') return typeFilter(state, panel, key);
  // Pasted text goes into the filter, which it may open. It never acts as other keys.
  if (key.isPasted && key.text !== '/') return NOTHING;
  const lists = panel.open === 'list' ? [LIST_KEYS[screen]] : PANEL_KEYS[panel.open];
  return handlerOf(key, ...lists)?.(state, key) ?? NOTHING;
}

const LIST_KEYS: Record<ViewState['screen'], Bindings> = {
  events: EVENT_LIST_KEYS,
  domains: DOMAIN_LIST_KEYS,
};

/** The keys that `?` shows on each screen. */
export const HELP: Record<ViewState['screen'], Bindings> = {
  events: [...EVENT_LIST_KEYS, ...DETAIL_KEYS],
  domains: DOMAIN_LIST_KEYS,
};
