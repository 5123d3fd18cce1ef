import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A fenced code block of a page. Its info string says how the tests run it: `sh serves=4400`. */
export interface Sample {
  /** The line of the opening fence. */
  line: number;
  /** The first word of the info string, or an empty string. */
  language: string;
  /** The attributes in the rest of the info string. The value of an attribute without a value is an empty string. */
  attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Returns the samples of a page. @param page `README`, or the name of a guide. */
export function samplesOf(page: string): Sample[] {
  const file = page === 'README' ? 'README.md' : `shared/docs/${page}.md`;
  return readSamples(readFileSync(path.join(root, file), 'utf8'));
}

/**
 * Reads the fenced code blocks of Markdown. Removes the indentation of the fence from a block in a list. @throws Error if a fence is not
 * closed.
 */
export function readSamples(markdown: string): Sample[] {
  const samples: Sample[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, info = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim() === fence);
    if (end < 0) throw new Error(`line ${at + 1}: the block is not closed`);
    const content = lines.slice(at + 1, end);
    const text = content.map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line.trimStart(),
    );
    samples.push({ line: at + 1, ...readInfo(info), text: `${text.join('\n')}\n` });
    at = end;
  }
  return samples;
}

const ATTRIBUTE = /([a-z-]+)(?:=(?:"([^"]*)"|([^\s"]+)))?(?:\s+|$)/gy;

/** @throws Error if the info string is malformed. */
function readInfo(info: string): Pick<Sample, 'language' | 'attributes'> {
  const [, language = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(info.trim()) ?? [];
  const attributes: Record<string, string> = {};
  let read = 0;
  for (const [whole, name = '', quoted, bare] of rest.matchAll(ATTRIBUTE)) {
    attributes[name] = quoted ?? bare ?? '';
    read += whole.length;
  }
  if (read !== rest.length) throw new Error(`malformed info string: ${info}`);
  return { language, attributes };
}
