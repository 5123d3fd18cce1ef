import { type Document, isAlias, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { SeedError } from './seed-problem.ts';

/** A seed parsed as YAML: its nodes, their lines, and its value. */
export interface ParsedSeed {
  parsed: Document;
  lines: LineCounter;
  document: unknown;
}

/**
 * Parses a seed.
 *
 * @param name the file's name, for error messages.
 * @throws SeedError for invalid YAML, or aliases that cannot be resolved.
 */
export function parseSeed(text: string, name: string): ParsedSeed {
  const lines = new LineCounter();
  // JSON may be indented with tabs, but YAML may not. Replace each tab with a space, which keeps all line numbers.
  const parsed = parseDocument(name.endsWith('.json') ? text.replaceAll('\t', ' ') : text, {
    lineCounter: lines,
    prettyErrors: false,
  });
  const withLine = (offset: number, message: string) => `${name}:${lines.linePos(offset).line}: ${message}`;
  if (parsed.errors.length > 0) {
    // The YAML parser is recursive. If the stack overflows, its message contains “call stack”.
    const said = (message: string) => (message.includes('call stack') ? 'is nested too deeply' : message);
    throw new SeedError(parsed.errors.map(({ message, pos }) => withLine(pos[0], said(message))));
  }
  const aliases = aliasesOf(parsed);
  const problems = aliases.flatMap(({ offset, problem }) =>
    problem === null ? [] : withLine(offset, problem),
  );
  if (problems.length > 0) throw new SeedError(problems);
  try {
    return { parsed, lines, document: parsed.toJS() ?? {} };
  } catch (cause) {
    // The document expands beyond the parser's limit because of nested aliases. Report the line of the last alias, because the parser does
    // not name the cause.
    const last = aliases.at(-1)?.offset ?? 0;
    throw new SeedError([withLine(last, cause instanceof Error ? cause.message : String(cause))], { cause });
  }
}

interface ReadAlias {
  offset: number;
  problem: string | null;
}

/** Lists every alias (`*name`) of the document. `problem` says why the alias cannot be resolved; null if it can. */
function aliasesOf(parsed: Document): ReadAlias[] {
  const found: ReadAlias[] = [];
  const anchors = new Map<string, Node>();
  visit(parsed, {
    Node(_, node, around) {
      if (isAlias(node)) {
        const problem = problemOf(node.source, anchors.get(node.source), around);
        found.push({ offset: node.range?.[0] ?? 0, problem });
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return found;
}

function problemOf(source: string, named: Node | undefined, around: readonly unknown[]): string | null {
  if (named === undefined) return `*${source} has no anchor: write &${source} before the value to repeat`;
  return around.includes(named) ? `*${source} refers to a value that contains it` : null;
}
