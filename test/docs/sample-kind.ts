import type { Sample } from './read-samples.ts';

/** The treatment of a sample in the tests. */
export type SampleKind =
  /** Runs it, or saves it as a file that a later sample of the page runs. */
  | 'executed'
  /** Compares it with the output of an earlier sample. */
  | 'compared'
  /** Reads it with the parser of its language. */
  | 'parsed'
  /** Leaves it out, for the reason in `skip`. */
  | 'skipped';

/** The programs that run a sample, by language. The file of the sample follows. */
export const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  js: ['node'],
  ts: ['node'],
  python: ['python3'],
  ruby: ['ruby'],
  go: ['go', 'run'],
  php: ['php'],
};

/** Languages that only a parser reads. */
const PARSED = new Set([
  'yaml',
  'json',
  'toml',
  'ini',
  'csv',
  'nginx',
  'caddyfile',
  'hcl',
  'dns',
  'html',
  'jsx',
  'tsx',
  'mermaid',
  'fish',
]);

/** Attributes of an info string. `tab` is for the site alone. */
const ATTRIBUTES = new Set([
  'as',
  'before',
  'exit',
  'file',
  'output',
  'prelude',
  'schema',
  'serves',
  'skip',
  'tab',
  'until',
  'zone',
]);

/** Returns what the tests do with a sample. @throws Error if its info string does not say it. */
export function kindOf({ language, attributes }: Sample): SampleKind {
  const unknown = Object.keys(attributes).find((name) => !ATTRIBUTES.has(name));
  if (unknown !== undefined) throw new Error(`unknown attribute ${unknown}`);
  if (attributes['skip'] === '') throw new Error('skip needs a reason');
  if (attributes['skip'] !== undefined) return 'skipped';
  if (attributes['output'] !== undefined) return 'compared';
  if (language === 'sh' || language in RUNTIMES) return 'executed';
  if (PARSED.has(language)) return 'parsed';
  throw new Error(`say what the block of “${language}” is: the output of a sample, or skip="reason"`);
}
