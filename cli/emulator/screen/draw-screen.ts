import { plainText, plainTime } from '../../output/plain-text.ts';
import { textWidth } from '../../output/table.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { cutLine, type Line, lineWidth, type Span } from '../../terminal/line.ts';
import type { ActivityRow } from './activity-row.ts';
import { SCREEN_KEYS } from './screen-keys.ts';
import { type ScreenNotice, type ScreenState, shownRows } from './screen-state.ts';

/** Facts of the emulator that stay the same while it runs. */
export interface ScreenFacts {
  url: string;
  edgeUrl: string;
  /** Names and values for the panel with the addresses. */
  addresses: readonly (readonly [name: string, value: string])[];
  /** Shell commands to try next. One that does not fit is left out, because a cut command is of no use. */
  next: readonly string[];
}

/** Draws the whole screen. The lines fit its height and width. */
export function drawScreen(state: ScreenState, facts: ScreenFacts): Line[] {
  const { columns, rows } = state.size;
  const header = [titleLine(state), addressLine(state, facts), ruleLine(columns)];
  const footer = [statusLine(state), hintLine(columns)];
  const height = Math.max(1, rows - header.length - footer.length);
  const body = bodyLines(state, facts, height);
  const filled = Array.from({ length: height }, (_, index): Line => body[index] ?? []);
  return [...header, ...filled, ...footer].slice(0, rows).map((line) => cutLine(line, columns));
}

function titleLine({ clock, size }: ScreenState): Line {
  const time = `clock ${plainText(clock.mode)} · ${plainTime(clock.now)}`;
  return between(
    [{ text: ' nameplate emulator', style: 'bold' }],
    [{ text: `${time} `, style: clock.mode === 'real' ? 'dim' : 'yellow' }],
    size.columns,
  );
}

function addressLine({ counts, size }: ScreenState, { url, edgeUrl }: ScreenFacts): Line {
  const { domains, events } = counts;
  const totals = `${domains} ${domains === 1 ? 'domain' : 'domains'} · ${events} ${events === 1 ? 'event' : 'events'} `;
  const left: Span[] = [
    { text: ` ${url}`, style: 'cyan' },
    { text: `  edge ${edgeUrl}`, style: 'dim' },
  ];
  return between(left, [{ text: totals, style: 'dim' }], size.columns);
}

function ruleLine(columns: number): Line {
  return [{ text: '─'.repeat(columns), style: 'dim' }];
}

/** Puts one part at the left and one at the right. The right one is left out where both do not fit. */
function between(left: Line, right: Line, columns: number): Line {
  const space = columns - lineWidth(left) - lineWidth(right);
  return space < 2 ? left : [...left, { text: ' '.repeat(space) }, ...right];
}

function bodyLines(state: ScreenState, facts: ScreenFacts, height: number): Line[] {
  const { panel, size } = state;
  if (panel.open === 'keys') return keyLines();
  if (panel.open === 'addresses') return addressLines(facts, size.columns);
  const shown = shownRows(state);
  if (shown.length > 0) return rowLines(shown, state.below, height);
  if (state.only !== null)
    return [[{ text: ` No rows of kind ${state.only} yet. f shows the next kind.`, style: 'dim' }]];
  return addressLines(facts, size.columns);
}

function keyLines(): Line[] {
  const width = Math.max(...SCREEN_KEYS.map(({ keys }) => textWidth(keys)));
  return SCREEN_KEYS.map(({ keys, does }) => [
    { text: ` ${keys}${' '.repeat(width - textWidth(keys))}  `, style: 'bold' },
    { text: does },
  ]);
}

function addressLines({ addresses, next }: ScreenFacts, columns: number): Line[] {
  const width = Math.max(...addresses.map(([name]) => textWidth(name)));
  const indent = width + 3;
  const fields = addresses.flatMap(([name, value]) =>
    wrapText(plainText(value), columns - indent - 1).map(
      (text, at): Line => [{ text: ` ${(at === 0 ? name : '').padEnd(width)}  `, style: 'dim' }, { text }],
    ),
  );
  return [
    ...fields,
    [],
    [{ text: ' In another terminal:', style: 'dim' }],
    ...next.filter((text) => textWidth(text) <= columns - 4).map((text): Line => [{ text: `   ${text}` }]),
  ];
}

/** Returns the rows that fit above those below the screen, and a line with the day before the first row of another day. */
function rowLines(rows: readonly ActivityRow[], below: number, height: number): Line[] {
  const end = rows.length - below;
  const visible = rows.slice(Math.max(0, end - height), end);
  const start = end - visible.length;
  const lines = visible.flatMap((row, index) => {
    const before = rows[start + index - 1];
    const isNewDay = before !== undefined && before.day !== row.day;
    return isNewDay ? [dayLine(row.day), rowLine(row)] : [rowLine(row)];
  });
  return lines.slice(-height);
}

function dayLine(day: string): Line {
  return [{ text: ` ── ${day} ──`, style: 'dim' }];
}

const KIND_WIDTH = 'webhook'.length;
const OUTCOME_WIDTH = 4;

function rowLine({ kind, time, outcome, style, text }: ActivityRow): Line {
  if (kind === null)
    return [
      { text: ` ${time}  `, style: 'dim' },
      { text: `── ${text} ──`, style },
    ];
  return [
    { text: ` ${time}  `, style: 'dim' },
    { text: `${kind.padEnd(KIND_WIDTH)}  `, ...(outcome === '' && { style }) },
    { text: `${outcome.padEnd(OUTCOME_WIDTH)}  `, style },
    { text },
  ];
}

const TONES = { plain: undefined, good: 'green', bad: 'red' } as const satisfies Record<
  ScreenNotice['tone'],
  unknown
>;

function statusLine({ panel, notice, below, only, size }: ScreenState): Line {
  if (panel.open === 'advance') {
    return [
      { text: ` Advance by or to: ${panel.text}▏`, style: 'cyan' },
      { text: '  72h, 90d or a time · Enter · Esc', style: 'dim' },
    ];
  }
  if (panel.open === 'reset')
    return [{ text: ' Delete all domains, events and mails? Enter confirm · Esc cancel', style: 'yellow' }];
  const kind = only === null ? '' : `only ${only}`;
  const more = below === 0 ? '' : `${below} below, G follows`;
  const right = [kind, more].filter((part) => part !== '').join(' · ');
  const tone = TONES[notice?.tone ?? 'plain'];
  const left: Span = {
    text: notice === null ? '' : ` ${plainText(notice.text)}`,
    ...(tone && { style: tone }),
  };
  return right === '' ? [left] : between([left], [{ text: `${right} `, style: 'yellow' }], size.columns);
}

/** Hints, the most important first. Those that do not fit are left out. */
const HINTS = [
  'q quit',
  '? keys',
  'o dashboard',
  '. next due',
  'a advance',
  'r reset',
  'i addresses',
  'f filter',
];

function hintLine(columns: number): Line {
  let text = '';
  for (const hint of HINTS) {
    const longer = text === '' ? ` ${hint}` : `${text} · ${hint}`;
    if (textWidth(longer) > columns) break;
    text = longer;
  }
  return [{ text, style: 'dim' }];
}
