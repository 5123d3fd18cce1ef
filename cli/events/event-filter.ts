import type { EventResource } from '../../shared/schema/event.ts';

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
  if (failed_only) tests.push(({ delivery }) => delivery.status === 'failed');
  for (const word of text
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')) {
    const test = readWord(word);
    if (test === null) return { problem: `${word} is not type:, host:, status: or code>=400` };
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

function readWord(word: string): Test | null {
  const [, sign = '', limit] = /^code(>=|<=|[><=:])(\d{1,3})$/.exec(word) ?? [];
  if (limit !== undefined) {
    return ({ delivery: { last_status_code: code } }) =>
      code !== null && COMPARISONS[sign]?.(code, Number(limit)) === true;
  }
  const [, field = '', wanted = ''] = /^([a-z]+)[:<>=]=?(.*)$/.exec(word) ?? [];
  if (field === '') return (event) => searchText(event).includes(word);
  // Half a word, as it is while somebody types, holds nothing back.
  if (wanted === '' && (field in FIELDS || field === 'code')) return () => true;
  return word.startsWith(`${field}:`) ? (FIELDS[field]?.(wanted) ?? null) : null;
}
