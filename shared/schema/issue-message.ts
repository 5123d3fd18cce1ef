import type { z } from 'zod';
import { shortList } from '../core/text/printable.ts';

type RawIssue = z.core.$ZodRawIssue;

/**
 * Returns the message for an issue that zod found, as words that follow the field's path. Pass this function as `error` of a parse. A
 * message in the schema itself takes precedence.
 */
export function issueMessage(issue: RawIssue): string {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return 'is required';
  }
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${sized(issue.maximum, issue.origin)}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${sized(issue.minimum, issue.origin)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${shortList(issue.keys)}`;
    default:
      return 'is not valid here';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be an RFC 3339 time in UTC',
  url: 'must be a URL',
  email: 'must be an email address',
};

function sized(bound: number | bigint, origin: string): string {
  const unit = { string: 'character', array: 'item' }[origin];
  if (unit === undefined) return String(bound);
  return `${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}
