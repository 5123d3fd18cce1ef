import { ALL_MOVES, stepsOf } from '../../../screen/key-bindings.ts';
import { isMove } from '../../../screen/list-cursor.ts';
import { editText, textInput, textOf } from '../../../screen/text-input.ts';
import type { KeyPress } from '../../../screen/use-keys.ts';
import { draftProblem, type FilterPanel, type Panel, reduceView, type ViewState } from '../view-state.ts';
import { DOMAIN_KEYS, DOMAIN_LIST_KEYS } from './domain-keys.ts';
import { DETAIL_KEYS, EVENT_KEYS, EVENT_LIST_KEYS } from './event-keys.ts';
import { type Bindings, bind, COMMON_KEYS, type KeyStep } from './key-steps.ts';

const CLOSE = { kind: 'closed' } as const;

/** Keys of a panel that covers the list. */
const SCROLL_KEYS: Bindings = [
  bind('', 'scroll', { ...ALL_MOVES, space: [{ kind: 'paged', by: 1 }] }),
  bind('', 'close', { 'left enter escape q': [CLOSE] }),
];

const PANEL_KEYS: Record<Exclude<Panel['open'], 'list' | 'filter'>, Bindings> = {
  detail: [...SCROLL_KEYS, ...DETAIL_KEYS, ...EVENT_KEYS, ...COMMON_KEYS],
  domain: [...SCROLL_KEYS, ...DOMAIN_KEYS, ...COMMON_KEYS],
  text: [...SCROLL_KEYS, ...COMMON_KEYS],
  help: [...SCROLL_KEYS, bind('', 'close', { '?': [CLOSE] }), ...COMMON_KEYS],
  trigger: [
    bind('', 'choose', {
      'left up k': [{ kind: 'chosen', by: -1 }],
      'right down j': [{ kind: 'chosen', by: 1 }],
    }),
    bind('', 'confirm', { enter: pullTrigger, 'escape q': [CLOSE] }),
  ],
  confirm: [bind('', 'confirm', { enter: redeliver, 'escape q': [CLOSE] })],
};

const LIST_KEYS: Record<ViewState['screen'], Bindings> = {
  events: EVENT_LIST_KEYS,
  domains: DOMAIN_LIST_KEYS,
};

/** The keys that `?` shows on each screen. */
export const HELP: Record<ViewState['screen'], Bindings> = {
  events: [...EVENT_LIST_KEYS, ...DETAIL_KEYS],
  domains: DOMAIN_LIST_KEYS,
};

/** Returns what a pressed key does in the current state, as actions and commands. A pure function: the caller carries them out. */
export function pressKey(state: ViewState, key: KeyPress): readonly KeyStep[] {
  if (key.name === 'ctrl-c') return [{ do: 'leave', interrupted: true }];
  const { panel, screen } = state;
  if (panel.open === 'filter') return typeFilter(state, panel, key);
  // Pasted text goes into the filter. A pasted `/` opens the filter, but no other pasted character acts as a key.
  if (key.isPasted && key.text !== '/') return [];
  if (panel.open !== 'list') return stepsOf(state, key, PANEL_KEYS[panel.open]);
  const steps = stepsOf(state, key, LIST_KEYS[screen]);
  const actions = steps.filter((step) => 'kind' in step);
  return actions.some(isMove) ? [...steps, ...moreOf(actions.reduce(reduceView, state))] : steps;
}

/** The view loads more rows if fewer rows than this are left between the selected row and the end of the loaded rows. */
const ROWS_AHEAD = 20;

/**
 * Returns the command that loads more rows if the selection is near the end of the loaded rows: older events at the top, or more domains at
 * the bottom.
 */
function moreOf({ screen, rows, domains }: ViewState): readonly KeyStep[] {
  if (screen === 'events') {
    const { shown, selected, following, past } = rows;
    const isNear = shown.length > 0 && !following && selected < ROWS_AHEAD;
    return isNear && past.state === 'more' ? [{ do: 'load_past' }] : [];
  }
  const { nextCursor, load, filter } = domains;
  const isNear = domains.selected >= domains.domains.length - ROWS_AHEAD;
  return isNear && nextCursor !== null && load.state === 'loaded'
    ? [{ do: 'load_domains', filter, place: 'next' }]
    : [];
}

function pullTrigger({ panel }: ViewState): readonly KeyStep[] {
  const name = panel.open === 'trigger' ? panel.names[panel.chosen] : undefined;
  if (panel.open !== 'trigger' || name === undefined) return [CLOSE];
  return [CLOSE, { do: 'trigger', domain: panel.domain, name }];
}

function redeliver({ panel }: ViewState): readonly KeyStep[] {
  if (panel.open !== 'confirm') return [CLOSE];
  const { events } = panel;
  const [event] = events;
  const isOne = events.length === 1 && event !== undefined;
  return [CLOSE, isOne ? { do: 'redeliver', event } : { do: 'redeliver_all', events }];
}

/** Returns the steps of a key while the user types a filter. Every printable key adds its character to the filter. */
function typeFilter(state: ViewState, panel: FilterPanel, key: KeyPress): readonly KeyStep[] {
  const { input, before } = panel;
  switch (key.name) {
    case 'enter':
      return draftProblem(panel) === null ? applied(state, panel) : [];
    case 'escape':
      return [{ kind: 'drafted', input: textInput(before) }, CLOSE];
    case 'up':
      return recalled(state, panel, -1);
    case 'down':
      return recalled(state, panel, 1);
    case 'backspace':
      if (textOf(input) === '') return applied(state, panel);
  }
  const edited = editText(input, key);
  return edited === null ? [] : [{ kind: 'drafted', input: edited }];
}

function applied({ rows: { past } }: ViewState, { of, input, before }: FilterPanel): readonly KeyStep[] {
  const text = textOf(input).trim();
  if (of === 'domains') {
    return text === before ? [CLOSE] : [CLOSE, { do: 'load_domains', filter: text, place: 'first' }];
  }
  if (text === '') return [CLOSE];
  const used = { kind: 'filter_used', text } as const;
  // Also load older events, because the matching events may be older than the loaded events.
  return past.state === 'more' ? [CLOSE, used, { do: 'load_past' }] : [CLOSE, used];
}

/** Replaces the typed text with an earlier or later filter of events, like the history of a shell. */
function recalled({ filters }: ViewState, panel: FilterPanel, by: number): readonly KeyStep[] {
  const index = (panel.recalled ?? filters.length) + by;
  if (panel.of !== 'events' || index < 0) return [];
  const text = filters[index];
  if (text !== undefined) return [{ kind: 'drafted', input: textInput(text), recalled: index }];
  return panel.recalled === null ? [] : [{ kind: 'drafted', input: textInput('') }];
}
