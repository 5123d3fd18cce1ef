import { editText, textInput } from '../../../screen/text-input.ts';
import type { KeyPress } from '../../../screen/use-keys.ts';
import type { FilterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import { close, type KeyOutcome, NOTHING } from './key-outcome.ts';

/** Handles a key while the user types a filter: every key that types is text. */
export function typeFilter(state: ViewState, panel: FilterPanel, key: KeyPress): KeyOutcome {
  const { input } = panel;
  switch (key.name) {
    case 'enter':
      return panel.problem === null ? applied(state, panel) : NOTHING;
    case 'escape':
      return { actions: [{ kind: 'drafted', input: textInput(panel.before) }, { kind: 'closed' }] };
    case 'up':
      return recalled(state, panel, -1);
    case 'down':
      return recalled(state, panel, 1);
    case 'backspace':
      if (input.text === '') return applied(state, panel);
  }
  const edited = editText(input, key);
  return edited === null ? NOTHING : { actions: [{ kind: 'drafted', input: edited }] };
}

function applied({ rows: { past } }: ViewState, { of, input, before }: FilterPanel): KeyOutcome {
  const text = input.text.trim();
  const { actions } = close();
  if (of === 'events') {
    // The matching events may be older than the loaded ones.
    const command = { do: 'load_past' } as const;
    return text === ''
      ? { actions }
      : { actions: [...actions, { kind: 'filter_used', text }], ...(past.state === 'more' && { command }) };
  }
  return text === before
    ? { actions }
    : { actions, command: { do: 'load_domains', filter: text, place: 'first' } };
}

/** Replaces the text by an earlier or a later filter of events, as a shell does with its commands. */
function recalled({ filters }: ViewState, panel: FilterPanel, by: number): KeyOutcome {
  const index = (panel.recalled ?? filters.length) + by;
  if (panel.of !== 'events' || index < 0) return NOTHING;
  const text = filters[index];
  if (text !== undefined) return { actions: [{ kind: 'drafted', input: textInput(text), recalled: index }] };
  return panel.recalled === null ? NOTHING : { actions: [{ kind: 'drafted', input: textInput('') }] };
}
