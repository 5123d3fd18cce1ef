import { type Document, isAlias, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { SeedError } from './seed-error.ts';

/** The text of a seed as YAML: its nodes, the lines they stand in, and what they come to. */
export interface ParsedSeed {
  parsed: Document;
  lines: LineCounter;
  document: unknown;
}

/** @param name of the file, for the messages. @throws SeedError for what is no YAML, or what its aliases make of it. */
export function parseSeed(text: string, name: string): ParsedSeed {
  const lines = new LineCounter();
  // Tabs may indent JSON, and not YAML; a blank in their place leaves every line where it is.
  const parsed = parseDocument(name.endsWith('.json') ? text.replaceAll('\t', ' ') : text, {
    lineCounter: lines,
    prettyErrors: false,
  });
  const told = (offset: number, message: string) => `${name}:${lines.linePos(offset).line}: ${message}`;
  if (parsed.errors.length > 0) {
    throw new SeedError(parsed.errors.map(({ message, pos }) => told(pos[0], message)));
  }
  const aliases = aliasesOf(parsed);
  const problems = aliases.flatMap(({ offset, problem }) => (problem === null ? [] : told(offset, problem)));
  if (problems.length > 0) throw new SeedError(problems);
  try {
    return { parsed, lines, document: parsed.toJS() ?? {} };
  } catch (cause) {
    // Aliases of aliases of aliases come to too much, with the last one at the latest.
    const last = aliases.at(-1)?.offset ?? 0;
    throw new SeedError([told(last, cause instanceof Error ? cause.message : String(cause))], { cause });
  }
}

interface ReadAlias {
  offset: number;
  problem: string | null;
}

/** Every `*name`, with what keeps it from standing for anything. */
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
  if (named === undefined) return `*${source} names nothing: write &${source} before what it is to repeat`;
  return around.includes(named) ? `*${source} stands inside what it names` : null;
}
