import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vitest/node';

/** A source file of the repository, for the tests of house rules. */
export interface Source {
  /** The path from the root of the repository, with `/`, such as `shared/core/ids.ts`. */
  file: string;
  text: string;
}

/** A node of the syntax tree (ESTree). Further fields depend on the type of the node. */
export interface Node {
  type: string;
  [property: string]: unknown;
}

export interface Import {
  /** The imported module as written; undefined if an `import()` computes the name. */
  specifier: string | undefined;
  typeOnly: boolean;
}

const root = path.resolve(import.meta.dirname, '..');

/** Returns every TypeScript file below these top-level folders. */
export function readSources(...folders: string[]): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  return globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/**
 * Returns every node of a file's syntax tree. Throws if the file cannot be parsed. Caches the nodes of the last file, for the next rule on
 * the same file.
 */
export function nodesOf(source: Source): Node[] {
  if (last?.source !== source) {
    const { file, text } = source;
    last = { source, nodes: walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file), []) };
  }
  return last.nodes;
}

let last: { source: Source; nodes: Node[] } | undefined;

/** Returns every import of a file: static, re-exported, dynamic, and in a type. */
export function importsOf(source: Source): Import[] {
  return nodesOf(source)
    .filter(({ type }) => IMPORTING.has(type))
    .filter((node) => isNode(node.source))
    .map(({ type, source: specifier, importKind, exportKind }) => ({
      specifier: isNode(specifier) && typeof specifier.value === 'string' ? specifier.value : undefined,
      typeOnly: type === 'TSImportType' || importKind === 'type' || exportKind === 'type',
    }));
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSImportType',
]);

function walk(value: unknown, found: Node[]): Node[] {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found);
  } else if (isNode(value)) {
    found.push(value);
    for (const key in value) walk(value[key], found);
  }
  return found;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
