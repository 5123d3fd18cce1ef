import type { KeyPress } from '../../terminal/read-keys.ts';
import { DOMAIN_LIST_KEYS } from './keys/domain-keys.ts';
import { EVENT_LIST_KEYS } from './keys/event-keys.ts';
import { typeFilter } from './keys/filter-keys.ts';
import { type KeyOutcome, type KeyTable, NOTHING } from './keys/key-outcome.ts';
import { PANEL_KEYS } from './keys/panel-keys.ts';
import type { ViewState } from './view-state.ts';

const LIST_KEYS: Record<ViewState['screen'], KeyTable> = {
  events: EVENT_LIST_KEYS,
  domains: DOMAIN_LIST_KEYS,
};

/** Returns the effect of a key in the current state. A pure function: the caller runs the command. */
export function pressKey(state: ViewState, key: KeyPress): KeyOutcome {
  if (key.name === 'ctrl-c') return { actions: [], command: { do: 'leave', interrupted: true } };
  if (key.name === 'ctrl-z') return { actions: [], stopsJob: true };
  const { panel, screen } = state;
  if (panel.open === 'filter') return typeFilter(state, panel, key);
  const table = panel.open === 'list' ? LIST_KEYS[screen] : PANEL_KEYS[panel.open];
  return (table[key.name] ?? table[key.text])?.(state, key) ?? NOTHING;
}
