import { type TextInput, textInput } from '../../screen/text-input.ts';
import { readDomainFilter } from './domain-list.ts';
import { readFilter, type ViewFilter } from './event-filter.ts';

/** The line in which the user types a filter. */
export interface FilterPanel {
  open: 'filter';
  /** The list that is filtered. The filter of events applies while it is typed; that of domains asks the server. */
  of: 'events' | 'domains';
  input: TextInput;
  problem: string | null;
  /** The filter to go back to. */
  before: string;
  /** The index of the earlier filter that was recalled; null for the user's own text. */
  recalled: number | null;
}

export function filterPanel(of: FilterPanel['of'], before: string): FilterPanel {
  return { open: 'filter', of, input: textInput(before), problem: null, before, recalled: null };
}

/** Reads the text that was typed. Returns the filter of events that it makes, or null, and what is wrong with it. */
export function drafted(
  { of, input }: FilterPanel,
  current: ViewFilter,
): { filter: ViewFilter | null; problem: string | null } {
  const read = of === 'events' ? readFilter({ ...current, text: input.text }) : readDomainFilter(input.text);
  if ('problem' in read) return { filter: null, problem: read.problem };
  return { filter: 'matches' in read ? read : null, problem: null };
}
