import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlias, isNode, isPair } from 'yaml';
import type { z } from 'zod';
import type { FieldProblem, ServiceError } from '../../shared/core/errors.ts';
import { editDistance } from '../../shared/core/text/edit-distance.ts';
import { issueMessage } from '../../shared/schema/issue-message.ts';
import { parseSeed } from './parse-seed.ts';
import { SeedError } from './seed-error.ts';
import { type ReadSeed, seedSchema } from './seed-schema.ts';

/** A seed file that was read, and where its parts stand. */
export interface SeedFile {
  seed: ReadSeed;
  /** As it was written, for whoever sends it on. */
  document: unknown;
  /** An error of applying it, told with the file and the line; any other as it is. */
  explain(error: unknown): unknown;
}

/** @throws SeedError that names the file, the line and what to write. */
export function readSeedFile(file: string): SeedFile {
  const name = path.relative('.', file) || file;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const code = 'seed_unreadable';
    throw new SeedError([`${name} cannot be read: ${cause instanceof Error ? cause.message : cause}`], {
      code,
      cause,
    });
  }
  return readSeedText(text, name);
}

/** @param name of the file, for the messages. JSON is read as the YAML that it is. @throws SeedError */
export function readSeedText(text: string, name: string): SeedFile {
  const { parsed, document, lines } = parseSeed(text, name);
  const tell = (problems: readonly Problem[]) =>
    problems.map(
      ({ at, message }) => `${name}:${lineOf(at)}: ${at.length === 0 ? '' : `${spelled(at)}: `}${message}`,
    );
  const read = seedSchema.safeParse(document, { error: issueMessage });
  if (!read.success) throw new SeedError(tell(read.error.issues.flatMap(problemsOf)));

  /** Of the entry, or of what is around it where it is missing. */
  function lineOf(at: Place): number {
    for (let length = at.length; length > 0; length--) {
      const offset = offsetOf(at.slice(0, length));
      if (offset !== undefined) return lines.linePos(offset).line;
    }
    return 1;
  }

  function offsetOf(at: Place): number | undefined {
    const key = at.at(-1);
    const parent = at.length === 1 ? parsed.contents : parsed.getIn(at.slice(0, -1), true);
    const within = isAlias(parent) ? parent.resolve(parsed) : parent;
    if (!isNode(within) || !('items' in within)) return undefined;
    const item = (within.items as unknown[]).find((each, index) =>
      isPair(each) ? String(each.key) === String(key) : index === key,
    );
    const node = isPair(item) ? item.key : item;
    return isNode(node) ? node.range?.[0] : undefined;
  }

  return {
    seed: read.data,
    document,
    explain(error) {
      const fields = fieldsOf(error);
      if (fields === undefined) return error;
      return new SeedError(
        tell(fields.map(({ path: dotted, message }) => ({ at: placeOf(dotted), message }))),
        { cause: error },
      );
    },
  };
}

type Place = (string | number)[];
interface Problem {
  at: Place;
  message: string;
}

/** A key that is not known is told at its own line, with the one that was meant. */
function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const at = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code !== 'unrecognized_keys') return [{ at, message: issue.message }];
  return issue.keys.map((key) => {
    const nearest = KEYS.toSorted((one, other) => editDistance(one, key) - editDistance(other, key))[0] ?? '';
    const distance = editDistance(nearest, key);
    const meant = distance <= 2 ? `; did you mean ${nearest}?` : '';
    return { at: [...at, key], message: `there is no such key${distance === 0 ? ' here' : meant}` };
  });
}

/** From the API's own errors, which the control surface answers with too. */
function fieldsOf(error: unknown): FieldProblem[] | undefined {
  if (!(error instanceof Error) || !('status_detail' in error)) return undefined;
  const { fields } = (error as ServiceError).status_detail ?? {};
  return Array.isArray(fields) ? (fields as FieldProblem[]) : undefined;
}

/** `domains.1.status` as the parts that it names. */
function placeOf(dotted: string): Place {
  return dotted === '' ? [] : dotted.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function spelled(at: Place): string {
  return at
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${part}`))
    .join('');
}

/** Every key that a seed may have, wherever it stands. */
const KEYS = [...keysOf(seedSchema)];

function keysOf(schema: unknown, seen = new Set<string>()): Set<string> {
  const { shape, element, innerType } = ((schema as { def?: Record<string, unknown> }).def ?? {}) as Record<
    string,
    unknown
  >;
  for (const inner of [element, innerType]) if (inner !== undefined) keysOf(inner, seen);
  for (const [key, value] of Object.entries((shape ?? {}) as Record<string, unknown>)) {
    seen.add(key);
    keysOf(value, seen);
  }
  return seen;
}
