import { handlerOf } from '../../screen/key-bindings.ts';
import type { KeyPress } from '../../screen/use-keys.ts';
import { typeFilter } from './keys/filter-keys.ts';
import { type KeyOutcome, NOTHING } from './keys/key-outcome.ts';
import { bindingsOf } from './keys/panel-keys.ts';
import type { ViewState } from './view-state.ts';

/** Returns the effect of a key in the current state. A pure function: the caller runs the command. */
export function pressKey(state: ViewState, key: KeyPress): KeyOutcome {
  if (key.name === 'ctrl-c') return { actions: [], command: { do: 'leave', interrupted: true } };
  if (state.panel.open === 'filter') return typeFilter(state, state.panel, key);
  // Pasted text goes into the filter, which it may open. It never acts as other keys.
  if (key.isPasted && key.text !== '/') return NOTHING;
  return handlerOf(key, ...bindingsOf(state))?.(state, key) ?? NOTHING;
}
