/** Patterns for parts of the output that differ in every run: ids, times, ages, ports and hexadecimal digests. */
const VARYING = [
  ...['evt', 'dom', 'app', 'dlv', 'key', 'acc', 'req'].map((prefix) => new RegExp(`${prefix}_[0-9a-z]+`)),
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/,
  /\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/,
  /\d\d:\d\d:\d\dZ?/,
  /\b\d+ (?:ms|s|min|h|days?)\b/,
  /\b[0-9a-f]{64}\b/,
].map(({ source }) => source);

/** Returns whether real output matches the page. `…` stands for the rest of a word or line. A line of only `…` stands for any lines. */
export function isShownAs(real: string, shown: string): boolean {
  return patternOf(shown).test(tidy(real));
}

function patternOf(shown: string): RegExp {
  const lines = tidy(shown)
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:[^\\n]*\\n)*?' : `${patternOfLine(line)}\\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function patternOfLine(line: string): string {
  let pattern = '';
  let end = 0;
  for (const found of line.matchAll(new RegExp(VARYING.join('|'), 'g'))) {
    const kind = VARYING.find((source) => new RegExp(`^(?:${source})$`).test(found[0]));
    pattern += `${literal(line.slice(end, found.index))}(?:${kind})`;
    end = found.index + found[0].length;
  }
  return pattern + literal(line.slice(end));
}

/** Escapes a text for a pattern. Column widths depend on the content, so any number of spaces matches any other. */
function literal(text: string): string {
  return text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/ +/g, ' +')
    .replaceAll('…', '[^\\n]*');
}

/** Removes spaces at the end of each line, and ends the text with one line break. */
function tidy(text: string): string {
  return `${text.trimEnd().replaceAll(/[ \t\r]+$/gm, '')}\n`;
}
