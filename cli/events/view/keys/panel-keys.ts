import { panelLines } from '../../drawing/draw-panel.ts';
import { frameLayout } from '../../drawing/frame-layout.ts';
import type { Panel, ViewState } from '../view-state.ts';
import { DOMAIN_KEYS } from './domain-keys.ts';
import { DETAIL_KEYS, EVENT_KEYS } from './event-keys.ts';
import { COMMON_KEYS, change, close, type KeyOutcome, type KeyTable } from './key-outcome.ts';

const WHEEL_LINES = 3;

function scroll(screens: number, lines = 0): (state: ViewState) => KeyOutcome {
  return (state) => {
    const { body } = frameLayout(state);
    const max = Math.max(0, panelLines(state).length - body);
    return { actions: [{ kind: 'scrolled', by: lines + screens * Math.max(1, body - 1), max }] };
  };
}

/** Keys of a panel that covers the list. */
const SCROLL_KEYS: KeyTable = {
  up: scroll(0, -1),
  k: scroll(0, -1),
  down: scroll(0, 1),
  j: scroll(0, 1),
  wheelup: scroll(0, -WHEEL_LINES),
  wheeldown: scroll(0, WHEEL_LINES),
  pageup: scroll(-1),
  pagedown: scroll(1),
  ' ': scroll(1),
  home: scroll(0, Number.NEGATIVE_INFINITY),
  g: scroll(0, Number.NEGATIVE_INFINITY),
  end: scroll(0, Number.POSITIVE_INFINITY),
  G: scroll(0, Number.POSITIVE_INFINITY),
  left: close,
  enter: close,
  escape: close,
  q: close,
};

const TRIGGER_KEYS: KeyTable = {
  left: change({ kind: 'chosen', by: -1 }),
  up: change({ kind: 'chosen', by: -1 }),
  k: change({ kind: 'chosen', by: -1 }),
  right: change({ kind: 'chosen', by: 1 }),
  down: change({ kind: 'chosen', by: 1 }),
  j: change({ kind: 'chosen', by: 1 }),
  enter: ({ panel }) => {
    const name = panel.open === 'trigger' ? panel.names[panel.chosen] : undefined;
    if (panel.open !== 'trigger' || name === undefined) return close();
    return { ...close(), command: { do: 'trigger', domain: panel.domain, name } };
  },
  escape: close,
  q: close,
};

const CONFIRM_KEYS: KeyTable = {
  enter: ({ panel }) => {
    if (panel.open !== 'confirm') return close();
    const { events } = panel;
    const [event] = events;
    if (events.length > 1 || event === undefined)
      return { ...close(), command: { do: 'redeliver_all', events } };
    return { ...close(), command: { do: 'redeliver', event } };
  },
  escape: close,
  q: close,
};

export const PANEL_KEYS: Record<Exclude<Panel['open'], 'list' | 'filter'>, KeyTable> = {
  detail: { ...EVENT_KEYS, ...SCROLL_KEYS, ...DETAIL_KEYS },
  domain: { ...DOMAIN_KEYS, ...SCROLL_KEYS },
  text: { ...COMMON_KEYS, ...SCROLL_KEYS },
  help: { ...COMMON_KEYS, ...SCROLL_KEYS, '?': close },
  trigger: TRIGGER_KEYS,
  confirm: CONFIRM_KEYS,
};
