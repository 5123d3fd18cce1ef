import type { Style } from '../../output/output.ts';
import type { Line } from '../../terminal/line.ts';

/** Matches a name with its colon, a string, or another value of JSON. */
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Colours a line of indented JSON: names, strings, and other values. */
export function jsonSpans(text: string): Line {
  const spans: { text: string; style?: Style }[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match;
    if (match.index > end) spans.push({ text: text.slice(end, match.index) });
    if (string === undefined) spans.push({ text: whole, style: 'yellow' });
    else spans.push({ text: string, style: colon === undefined ? 'green' : 'cyan' });
    if (colon !== undefined) spans.push({ text: colon });
    end = match.index + whole.length;
  }
  return end < text.length ? [...spans, { text: text.slice(end) }] : spans;
}
