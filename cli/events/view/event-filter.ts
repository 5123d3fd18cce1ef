import { STATUSES } from '../../../shared/core/domains/status.ts';
import { nearestWord } from '../../../shared/core/text/nearest-word.ts';
import type { EventResource } from '../../../shared/schema/event.ts';

/** The parts of a filter. */
export interface FilterInput {
  /** Words such as `type:active host:acme status:failed code>=400 word`. All must match. */
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

/** Returns the filter, or a message that says what is wrong with its text. */
export function readFilter(input: FilterInput): ViewFilter | { problem: string } {
  const { text, failedOnly, pattern } = input;
  const tests: Test[] = [];
  if (pattern) tests.push((event) => pattern.test(searchText(event)));
  if (failedOnly) tests.push(({ delivery }) => isFailing(delivery));
  for (const word of text
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')) {
    const test = readWord(word);
    if (typeof test === 'string') return { problem: test };
    tests.push(test);
  }
  return { ...input, text: text.trim(), matches: (event) => tests.every((test) => test(event)) };
}

/** Returns the text that free words and `--grep` search. */
function searchText({
  id,
  type,
  hostname,
  domain_id,
  previous_status,
  status,
  delivery,
}: EventResource): string {
  const answer = delivery.last_status_code ?? delivery.last_error ?? '';
  return `${id} ${type} ${hostname} ${domain_id} ${previous_status ?? ''} ${status ?? ''} ${delivery.status} ${answer}`;
}

const FIELDS: Record<string, (wanted: string) => Test> = {
  type: (wanted) => (event) => event.type.includes(wanted),
  host: (wanted) => (event) => event.hostname.includes(wanted),
  status: (wanted) => (event) => event.status === wanted || event.delivery.status === wanted,
};

const COMPARISONS: Record<string, (code: number, limit: number) => boolean> = {
  '>=': (code, limit) => code >= limit,
  '<=': (code, limit) => code <= limit,
  '>': (code, limit) => code > limit,
  '<': (code, limit) => code < limit,
  '=': (code, limit) => code === limit,
  ':': (code, limit) => code === limit,
};

/** The values of `status:`: the statuses of domains and of deliveries. */
const STATUS_WORDS: readonly string[] = [...STATUSES, 'delivered', 'pending', 'failed', 'none'];

/** Returns true if the delivery has failed, or if its last attempt has failed and a retry follows. */
function isFailing({ status, attempts }: EventResource['delivery']): boolean {
  return status === 'failed' || (status === 'pending' && attempts > 0);
}

/** Returns the test for a word, or a message that says what is wrong with the word. */
function readWord(word: string): Test | string {
  const [, sign = '', limit] = /^code(>=|<=|[><=:])(\d{1,3})$/.exec(word) ?? [];
  if (limit !== undefined) {
    return ({ delivery: { last_status_code: code } }) =>
      code !== null && COMPARISONS[sign]?.(code, Number(limit)) === true;
  }
  const [, field = '', wanted = ''] = /^([a-z]+)[:<>=]=?(.*)$/.exec(word) ?? [];
  if (field === '') return (event) => searchText(event).includes(word);
  // A field without a value matches everything, because the user is still typing.
  if (wanted === '' && (field in FIELDS || field === 'code')) return () => true;
  const test = word.startsWith(`${field}:`) ? FIELDS[field]?.(wanted) : undefined;
  if (test === undefined) return `${word} is not type:, host:, status: or code>=400`;
  if (field !== 'status' || STATUS_WORDS.includes(wanted)) return test;
  const meant = nearestWord(wanted, STATUS_WORDS);
  return `${wanted} is not a status of a domain or a delivery${meant === null ? '' : `: did you mean ${meant}?`}`;
}
