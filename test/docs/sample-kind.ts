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
const PARSED = new Set(['caddyfile', 'csv', 'dns', 'fish', 'ini', 'json', 'jsx', 'mermaid', 'nginx', 'yaml']);

/** The attributes of an info string. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  as: 'a name for a sample that serves, so that a later block can show its output',
  before: 'a script of `pages.ts` that runs first: what happens outside the page',
  browser: 'the sample runs in a browser, so only its syntax is read',
  exit: 'the exit code that the sample ends with, 0 by default',
  file: 'the file in which the reader saves the sample',
  output: 'the output of the sample before, or of the one with this name',
  prelude: 'code of `preludes.ts` around a fragment',
  schema: 'the kind of a data file, which its own program checks',
  serves: 'the port, or host and port, on which the sample listens until the end of the page',
  skip: 'why the sample is not run',
  tab: 'the language of a sample in a group, for the site',
  until: 'the text after which the reader presses Ctrl-C',
  zone: 'the zone that the DNS records are in',
};

/** Returns what the tests do with a sample. @throws Error if its info string does not say it. */
export function kindOf({ language, attributes }: Sample): SampleKind {
  const unknown = Object.keys(attributes).find((name) => !(name in ATTRIBUTES));
  if (unknown !== undefined) throw new Error(`unknown attribute ${unknown}`);
  if (attributes['skip'] === '') throw new Error('skip needs a reason');
  if (attributes['skip'] !== undefined) return 'skipped';
  if (attributes['output'] !== undefined) return 'compared';
  if (attributes['browser'] !== undefined) return 'parsed';
  if (language === 'sh' || language in RUNTIMES) return 'executed';
  if (PARSED.has(language)) return 'parsed';
  throw new Error(`say what the block of “${language}” is: the output of a sample, or skip="reason"`);
}
