import { COLOURS, PLAIN_MONO } from '../../shared/core/look/tokens.ts';
import { escapeHtml } from '../../shared/core/text/markup.ts';

/** A screen of a terminal, with the escape sequences for its colours. */
export interface Frame {
  atMs: number;
  lines: readonly string[];
}

interface Picture {
  columns: number;
  rows: number;
  /** The time after which the animation starts again. */
  lengthMs: number;
  title: string;
}

/** The size of a character cell, in units of the picture. */
const [CELL_WIDTH, CELL_HEIGHT, FONT_SIZE] = [8.4, 19, 14];
const [MARGIN, HEAD] = [16, 34];

/** A line of the screen for as long as it stays the same. */
interface Stretch {
  row: number;
  line: string;
  /** The look at the start of the line, because a terminal keeps it from the line before. */
  look: Look;
  from: number;
  until: number;
}

/**
 * Draws a recording of a terminal as an SVG that loads nothing. Each line is drawn once for the time in which it stays the same. For a reader
 * who prefers reduced motion, the picture shows the last frame.
 */
export function animatedSvg(frames: readonly Frame[], { columns, rows, lengthMs, title }: Picture): string {
  const width = Math.ceil(columns * CELL_WIDTH + 2 * MARGIN);
  const height = HEAD + rows * CELL_HEIGHT + MARGIN;
  const groups = Map.groupBy(stretchesOf(frames, lengthMs), ({ from, until }) => `${from} ${until}`);
  const drawn: string[] = [];
  const keyframes: string[] = [];
  for (const [, stretches] of groups) {
    const [{ from, until } = { from: 0, until: lengthMs }] = stretches;
    const isLast = until === lengthMs;
    const name = `k${drawn.length}`;
    const text = stretches.map(drawStretch).join('');
    if (from === 0 && isLast) drawn.push(`<g>${text}</g>`);
    else {
      const share = (ms: number) => `${Number(((ms / lengthMs) * 100).toFixed(2))}%`;
      const ends = isLast ? '' : ` ${share(until)} { visibility: hidden; }`;
      keyframes.push(`@keyframes ${name} { ${share(from)} { visibility: visible; }${ends} }`);
      drawn.push(`<g class="${isLast ? 'last' : 'part'}" style="animation-name:${name}">${text}</g>`);
    }
  }
  const [fill] = COLOURS.code;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(title)}">
<style>svg { font: ${FONT_SIZE}px ${PLAIN_MONO}; fill: ${PLAIN.color}; } text { white-space: pre; }
.part, .last { visibility: hidden; animation: ${lengthMs / 1000}s step-end infinite; }
@media (prefers-reduced-motion: reduce) { .part, .last { animation: none; } .last { visibility: visible; } }
${keyframes.join('\n')}</style>
<rect width="${width}" height="${height}" rx="10" fill="${fill}"/><path d="M0 ${HEAD - 8}V10a10 10 0 0 1 10-10H${width - 10}a10 10 0 0 1 10 10v${HEAD - 18}z" fill="${COLOURS['code-head'][0]}"/>
${[0, 1, 2].map((index) => `<circle cx="${MARGIN + 4 + index * 18}" cy="13" r="5" fill="${COLOURS['code-line'][0]}"/>`).join('')}
${drawn.join('\n')}
</svg>
`;
}

/** Returns the lines of all frames, each with the time in which it is on the screen. */
function stretchesOf(frames: readonly Frame[], lengthMs: number): Stretch[] {
  const open = new Map<number, Stretch>();
  const stretches: Stretch[] = [];
  for (const [index, { atMs, lines }] of frames.entries()) {
    const from = index === 0 ? 0 : Math.round(atMs);
    let next = PLAIN;
    for (const [row, line] of lines.entries()) {
      const look = next;
      next = runsOf(line, look).at(-1)?.look ?? look;
      const before = open.get(row);
      if (before?.line === line && isSame(before.look, look)) continue;
      if (before !== undefined) before.until = from;
      const stretch = { row, line, look, from, until: lengthMs };
      open.set(row, stretch);
      stretches.push(stretch);
    }
  }
  return stretches.filter(({ line }) => line.trim() !== '');
}

interface Look {
  color: string;
  background: string | null;
  isBold: boolean;
  isDim: boolean;
  isUnderlined: boolean;
}

const PLAIN: Look = {
  color: COLOURS['code-text'][0],
  background: null,
  isBold: false,
  isDim: false,
  isUnderlined: false,
};

/** The terminal's colours in the order of their codes. The bright ones are the same, because a code panel is dark. */
const PALETTE = (
  ['code', 'code-name', 'code-number', 'code-string', 'fill', 'held', 'code-key', 'code-text'] as const
).map((name) => COLOURS[name][name === 'held' ? 1 : 0]);

function drawStretch({ row, line, look: start }: Stretch): string {
  const y = HEAD + row * CELL_HEIGHT;
  let column = 0;
  let drawn = '';
  for (const { text, look } of runsOf(line, start)) {
    drawn += segment(text, { x: MARGIN + column * CELL_WIDTH, y }, look);
    column += [...text].length;
  }
  return drawn;
}

/** Splits a line into texts of one look. The last text can be empty. */
function runsOf(line: string, start: Look): { text: string; look: Look }[] {
  let look = start;
  const runs: { text: string; look: Look }[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with a control character
  for (const [, codes, text = ''] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (codes !== undefined) look = codes.split(';').map(Number).reduce(changed, look);
    runs.push({ text, look });
  }
  return runs;
}

function isSame(one: Look, other: Look): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function segment(text: string, { x, y }: { x: number; y: number }, look: Look): string {
  const number = (value: number) => Number(value.toFixed(1));
  const cells = (part: string) => [...part].length * CELL_WIDTH;
  const { color, background, isBold, isDim, isUnderlined } = look;
  const box =
    background === null
      ? ''
      : `<rect x="${number(x)}" y="${y}" width="${number(cells(text))}" height="${CELL_HEIGHT}" fill="${background}"/>`;
  const words = text.trim();
  if (words === '') return box;
  const start = x + cells(text.slice(0, text.indexOf(words)));
  const fill = isDim ? COLOURS['code-muted'][0] : color;
  const style = [
    fill === PLAIN.color ? '' : ` fill="${fill}"`,
    isBold ? ' font-weight="700"' : '',
    isUnderlined ? ' text-decoration="underline"' : '',
  ].join('');
  return `${box}<text x="${number(start)}" y="${y + 14}" textLength="${number(cells(words))}"${style}>${escapeHtml(words)}</text>`;
}

/** Returns the look after a code of the sequence Select Graphic Rendition (ECMA-48 section 8.3.117). */
function changed(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 4) return { ...look, isUnderlined: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 24) return { ...look, isUnderlined: false };
  if (code === 39) return { ...look, color: PLAIN.color };
  if (code === 49) return { ...look, background: null };
  const colour = PALETTE[code % 10] ?? PLAIN.color;
  if ((code >= 30 && code < 38) || (code >= 90 && code < 98))
    return { ...look, color: code === 97 ? COLOURS['on-fill'][0] : colour };
  if (code >= 40 && code < 48) return { ...look, background: colour };
  return look;
}
