import type { Sample } from './read-samples.ts';

/** The way in which the tests treat a sample. */
export type SampleKind =
  /** The test runs the sample, or saves it as a file that a later sample of the page runs. */
  | 'executed'
  /** The test compares the sample with the output of an earlier sample. */
  | 'compared'
  /** The test checks the sample with the parser of its language. */
  | 'parsed'
  /** The test skips the sample, for the reason in the attribute `skip`. */
  | 'skipped';

/** The command that runs a sample, by language, without the path of the sample's file. */
export const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  js: ['node'],
  ts: ['node'],
  python: ['python3'],
  ruby: ['ruby'],
  go: ['go', 'run'],
  php: ['php'],
};

/** Languages whose samples are parsed but not run. */
const PARSED = new Set([
  'caddyfile',
  'csv',
  'dns',
  'fish',
  'ini',
  'json',
  'jsx',
  'mermaid',
  'nats',
  'nginx',
  'yaml',
]);

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

/** Returns what the tests do with a sample. @throws Error if the sample's info string does not determine the kind. */
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
