import { STATUSES } from '../../../shared/core/domains/status.ts';
import { nearestWord } from '../../../shared/core/text/nearest-word.ts';
import { EVENT_TYPES } from '../../../shared/core/webhooks/event.ts';
import type { EventResource, ListEventsQuery } from '../../../shared/schema/event.ts';
import { DELIVERY_STATUSES } from '../event-words.ts';

/** The parts of an event filter, as the user types or passes them. */
export interface FilterInput {
  /**
   * Words such as `type:active host:acme|globex -status:failed code>=400 word`. An event must match all words. A minus excludes events, and
   * `|` separates alternatives.
   */
  text: string;
  failedOnly: boolean;
  /** The pattern of `--grep`. */
  pattern: RegExp | null;
}

/** A filter that decides which events are shown. */
export interface ViewFilter extends FilterInput {
  matches(event: EventResource): boolean;
}

type Test = (event: EventResource) => boolean;

export const NO_FILTER: ViewFilter = { text: '', failedOnly: false, pattern: null, matches: () => true };

/** Returns true if every event matches the filter. */
export function isOpen({ text, failedOnly, pattern }: ViewFilter): boolean {
  return text === '' && !failedOnly && pattern === null;
}

/** The query of the API for a filter that the API can apply. */
export type PastQuery = Pick<Partial<ListEventsQuery>, 'type' | 'domain_id' | 'delivery'>;

/**
 * Returns the filter as a query of the API. The API can filter by one type, one domain id, and failed deliveries. Returns null for any
 * other filter, which only this view can apply.
 */
export function pastQueryOf({ text, failedOnly, pattern }: FilterInput): PastQuery | null {
  if (pattern !== null) return null;
  const query: PastQuery = failedOnly ? { delivery: 'failed' } : {};
  for (const word of wordsOf(text)) {
    const wanted = /^type[:=](.+)$/.exec(word)?.[1];
    const types = wanted === undefined ? [] : EVENT_TYPES.filter((type) => type.includes(wanted));
    if (types.length === 1 && types[0] && query.type === undefined) query.type = types[0];
    else if (/^dom_[0-9a-z]{26}$/.test(word) && query.domain_id === undefined) query.domain_id = word;
    else return null;
  }
  return query;
}

/** Parses a filter. Returns the filter, or an error message about the text. */
export function readFilter(
  input: FilterInput,
): { ok: true; filter: ViewFilter } | { ok: false; problem: string } {
  const { text, failedOnly, pattern } = input;
  const tests: Test[] = [];
  if (pattern) tests.push((event) => pattern.test(searchedValues(event).join(' ')));
  if (failedOnly) tests.push(({ delivery }) => delivery.status === 'failed');
  for (const word of wordsOf(text)) {
    const test = readWord(word);
    if (typeof test === 'string') return { ok: false, problem: test };
    tests.push(test);
  }
  const matches = (event: EventResource) => tests.every((test) => test(event));
  return { ok: true, filter: { ...input, text: text.trim(), matches } };
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
}

/** Returns the values of an event that are searched for `--grep`, and for a filter's words without a field. */
function searchedValues({ id, type, hostname, domain_id, previous_status, status, delivery }: EventResource) {
  const answer = delivery.last_status_code ?? delivery.last_error ?? '';
  return [id, type, hostname, domain_id, previous_status ?? '', status ?? '', delivery.status, answer];
}

/**
 * Returns true if one of the event's values contains the word. The values are not joined first, because joining takes too long for many
 * events.
 */
function contains(event: EventResource, word: string): boolean {
  return (
    event.hostname.includes(word) ||
    event.type.includes(word) ||
    searchedValues(event).some((value) => String(value).includes(word))
  );
}

/**
 * The fields of a filter, such as `type:`. Each function parses a value. It returns a test for events, or a message that explains the
 * mistake in the value.
 */
const FIELDS: Record<string, (wanted: string, operator: string) => Test | string> = {
  type: (wanted) => (event) => event.type.includes(wanted),
  host: (wanted) => (event) => event.hostname.includes(wanted),
  status: (wanted) => {
    if (STATUS_WORDS.includes(wanted)) {
      return (event) => event.status === wanted || event.delivery.status === wanted;
    }
    const meant = nearestWord(wanted, STATUS_WORDS);
    return `${wanted} is not a status of a domain or a delivery${meant === null ? '' : `: did you mean ${meant}?`}`;
  },
  code: (wanted, operator) => {
    const compares = COMPARISONS[operator];
    if (compares === undefined || !/^\d{1,3}$/.test(wanted)) return notATerm(`code${operator}${wanted}`);
    return ({ delivery: { last_status_code: code } }) => code !== null && compares(code, Number(wanted));
  },
};

const COMPARISONS: Record<string, (code: number, limit: number) => boolean> = {
  ':': (code, limit) => code === limit,
  '=': (code, limit) => code === limit,
  '>=': (code, limit) => code >= limit,
  '<=': (code, limit) => code <= limit,
  '>': (code, limit) => code > limit,
  '<': (code, limit) => code < limit,
};

/** The values that `status:` accepts: the statuses of domains and of deliveries. */
const STATUS_WORDS: readonly string[] = [...STATUSES, ...DELIVERY_STATUSES];

/** Returns the test for a word, or a message that says what is wrong with the word. */
function readWord(word: string): Test | string {
  if (!word.startsWith('-')) return readPositive(word);
  const test = readPositive(word.slice(1));
  // While the user is still typing, a minus without a value excludes nothing.
  if (typeof test === 'string' || test === EVERYTHING) return test;
  return (event) => !test(event);
}

const EVERYTHING: Test = () => true;

function readPositive(word: string): Test | string {
  const [, field, operator = '', values = word] = /^([a-z]+)([<>]=?|[:=])(.*)$/.exec(word) ?? [];
  const read =
    field === undefined ? (value: string) => (event: EventResource) => contains(event, value) : FIELDS[field];
  if (read === undefined || (/[<>]/.test(operator) && field !== 'code')) return notATerm(word);
  const tests: Test[] = [];
  for (const value of values.split('|').filter((each) => each !== '')) {
    const test = read(value, operator);
    if (typeof test === 'string') return test;
    tests.push(test);
  }
  // While the user is still typing, a field without a value matches everything.
  return tests.length === 0 ? EVERYTHING : (event) => tests.some((test) => test(event));
}

function notATerm(word: string): string {
  return `${word} is not type:, host:, status: or code>=400`;
}
