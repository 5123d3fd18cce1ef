import { STATUSES } from '../../../shared/core/domains/status.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { nearestWord } from '../../runtime/nearest-word.ts';

/** What is asked for. */
export interface FilterInput {
  /** `type:active host:acme status:failed code>=400 word`: all must match. */
  text: string;
  failed_only: boolean;
  /** Of `--grep`. */
  pattern: RegExp | null;
}

/** Which events are shown. */
export interface EventFilter extends FilterInput {
  matches(event: EventResource): boolean;
}

type Test = (event: EventResource) => boolean;

export const NO_FILTER: EventFilter = { text: '', failed_only: false, pattern: null, matches: () => true };

/** @returns the filter, or what is wrong with its text. */
export function readFilter(input: FilterInput): EventFilter | { problem: string } {
  const { text, failed_only, pattern } = input;
  const tests: Test[] = [];
  if (pattern) tests.push((event) => pattern.test(searchText(event)));
  if (failed_only) tests.push(({ delivery }) => isFailing(delivery));
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

/** What a free word and `--grep` look in. */
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

/** What `status:` can be, of the domain and of the delivery. */
const STATUS_WORDS: readonly string[] = [...STATUSES, 'delivered', 'pending', 'failed', 'none'];

/** Retries are over, or the last attempt has failed and one is to come. */
function isFailing({ status, attempts }: EventResource['delivery']): boolean {
  return status === 'failed' || (status === 'pending' && attempts > 0);
}

/** @returns what is wrong with it where it is no test. */
function readWord(word: string): Test | string {
  const [, sign = '', limit] = /^code(>=|<=|[><=:])(\d{1,3})$/.exec(word) ?? [];
  if (limit !== undefined) {
    return ({ delivery: { last_status_code: code } }) =>
      code !== null && COMPARISONS[sign]?.(code, Number(limit)) === true;
  }
  const [, field = '', wanted = ''] = /^([a-z]+)[:<>=]=?(.*)$/.exec(word) ?? [];
  if (field === '') return (event) => searchText(event).includes(word);
  // Half a word, as it is while somebody types, holds nothing back.
  if (wanted === '' && (field in FIELDS || field === 'code')) return () => true;
  const test = word.startsWith(`${field}:`) ? FIELDS[field]?.(wanted) : undefined;
  if (test === undefined) return `${word} is not type:, host:, status: or code>=400`;
  if (field !== 'status' || STATUS_WORDS.includes(wanted)) return test;
  const meant = nearestWord(wanted, STATUS_WORDS);
  return `${wanted} is no status of a domain or a delivery${meant === null ? '' : `: did you mean ${meant}?`}`;
}
