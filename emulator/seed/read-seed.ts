import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlias, isNode, isPair } from 'yaml';
import type { z } from 'zod';
import type { FieldProblem, ServiceError } from '../../shared/core/errors.ts';
import { decodeText } from '../../shared/core/text/decode-text.ts';
import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { unstorable } from '../../shared/core/text/printable.ts';
import { issueMessage } from '../../shared/schema/issue-message.ts';
import { parseSeed } from './parse-seed.ts';
import { SeedError } from './seed-problem.ts';
import { seedSchema } from './seed-schema.ts';
import type { SeedRead } from './seed-source.ts';

/** The content of a seed file, with a function that finds the line of a problem. */
export interface SeedFile extends SeedRead {
  /** The parsed document, before defaults are applied. */
  document: unknown;
}

/** Reads a seed file. @throws SeedError that names the file and the line, and says what to correct. */
export function readSeedFile(file: string): SeedFile {
  const name = path.relative('.', file) || file;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const code = 'seed_unreadable';
    throw new SeedError([`${name} cannot be read: ${cause instanceof Error ? cause.message : cause}`], {
      code,
      cause,
    });
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw new SeedError([`${name} ${decoded.problem}`]);
  return readSeedText(decoded.text, name);
}

/**
 * Parses a seed. Reads JSON as YAML, because JSON is a subset of YAML.
 *
 * @param name the file's name, for error messages.
 * @throws SeedError
 */
export function readSeedText(text: string, name: string): SeedFile {
  const { parsed, document, lines } = parseSeed(text, name);
  const withLines = (problems: readonly Problem[]) =>
    problems.map(
      ({ at, message }) => `${name}:${lineOf(at)}: ${at.length === 0 ? '' : `${spelled(at)}: `}${message}`,
    );
  const read = seedSchema.safeParse(document, { error: issueMessage });
  if (!read.success) throw new SeedError(withLines(read.error.issues.flatMap(problemsOf)));
  const problems = unstorable(read.data).map(({ path: dotted, message }) => ({
    at: pathOf(dotted),
    message,
  }));
  if (problems.length > 0) throw new SeedError(withLines(problems));

  /** Returns the line of an entry, or of its nearest parent if the entry is missing. */
  function lineOf(at: SeedPath): number {
    for (let length = at.length; length > 0; length--) {
      const offset = offsetOf(at.slice(0, length));
      if (offset !== undefined) return lines.linePos(offset).line;
    }
    return 1;
  }

  function offsetOf(at: SeedPath): number | undefined {
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
        withLines(fields.map(({ path: dotted, message }) => ({ at: pathOf(dotted), message }))),
        { cause: error },
      );
    },
  };
}

type SeedPath = (string | number)[];
interface Problem {
  at: SeedPath;
  message: string;
}

/** Reports an unknown key at its own line, with the closest known key. */
function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const at = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code !== 'unrecognized_keys') return [{ at, message: issue.message }];
  return issue.keys.map((key) => {
    const nearest = nearestWord(key, KEYS);
    const meant = nearest === null ? '' : `; did you mean ${nearest}?`;
    return { at: [...at, key], message: `unknown key${KEYS.includes(key) ? ' here' : meant}` };
  });
}

/** Returns the invalid fields that an error of the API or of the control surface lists. */
function fieldsOf(error: unknown): FieldProblem[] | undefined {
  if (!(error instanceof Error) || !('status_detail' in error)) return undefined;
  const { fields } = (error as ServiceError).status_detail ?? {};
  return Array.isArray(fields) ? (fields as FieldProblem[]) : undefined;
}

/** Splits a dotted path such as `domains.1.status` into its parts. */
function pathOf(dotted: string): SeedPath {
  return dotted === '' ? [] : dotted.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function spelled(at: SeedPath): string {
  return at
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${part}`))
    .join('');
}

/** Every key that a seed can have, at any level. */
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
