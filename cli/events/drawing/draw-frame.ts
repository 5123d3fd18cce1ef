import { plainText } from '../../output/plain-text.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { rowCount, shownCount } from '../view/event-rows.ts';
import type { ViewNotice, ViewState } from '../view/view-state.ts';
import { panelLines } from './draw-panel.ts';
import { columnNames, rowLines } from './draw-rows.ts';
import { connectionLine, countLine, cutLine } from './draw-top.ts';
import { frameLayout } from './frame-layout.ts';
import type { Line } from './line.ts';

/** The current time, by two clocks. */
export interface FrameTime {
  /** The current time in milliseconds of `elapsedMs`. */
  nowMs: number;
  /** The current wall-clock time (RFC 3339). */
  now: string;
}

/** Draws the whole screen, as lines that fit it. */
export function drawFrame(state: ViewState, { nowMs, now }: FrameTime): Line[] {
  const { lines, columns, body, footer, hasColumnNames, hasHints } = frameLayout(state);
  const { panel } = state;
  const covers = panel.open === 'detail' || panel.open === 'help';
  const content = covers ? panelLines(state).slice(panel.scroll, panel.scroll + body) : listLines(state, now);
  const tone = panel.open === 'list' || covers ? TONES[state.notice?.tone ?? 'plain'] : ('cyan' as const);
  return [
    connectionLine(state, nowMs),
    covers ? panelTitle(state, body) : countLine(state, nowMs),
    ...(hasColumnNames ? [columnNames(columns)] : []),
    ...filled(content, body),
    ...footer.map((text): Line => [tone === undefined ? { text } : { text, style: tone }]),
    ...(hasHints ? [hints(state)] : []),
  ]
    .slice(0, lines)
    .map((line) => cutLine(line, columns));
}

const TONES = { plain: undefined, good: 'green', bad: 'red' } as const satisfies Record<
  ViewNotice['tone'],
  unknown
>;

function filled(lines: readonly Line[], count: number): Line[] {
  return Array.from({ length: count }, (_, index) => lines[index] ?? []);
}

function listLines(state: ViewState, now: string): Line[] {
  if (shownCount(state.rows) > 0) return rowLines(state, now);
  return wrapText(emptyWords(state), state.size.columns - 4).map((text) => [
    { text: `  ${text}`, style: 'dim' },
  ]);
}

/** Says why the list is empty. */
function emptyWords({ rows, source }: ViewState): string {
  const { connection } = rows;
  if (connection.state === 'retrying') return plainText(connection.error.message);
  if (connection.state === 'stopped') {
    return plainText(`${connection.error.message} ${connection.error.fix}`);
  }
  if (connection.state === 'connecting') return `Connecting to ${plainText(source)} …`;
  if (rowCount(rows) > 0) return 'No event matches the filter. Esc clears it, f shows all deliveries again.';
  return 'No events yet. They appear here as they happen.';
}

function panelTitle(state: ViewState, body: number): Line {
  const { panel } = state;
  const scroll = 'scroll' in panel ? panel.scroll : 0;
  const more = panelLines(state).length - scroll - body;
  const title = panel.open === 'detail' ? plainText(`${panel.event.type}  ${panel.event.hostname}`) : 'Keys';
  return [
    { text: title, style: 'bold' },
    { text: more > 0 ? `  · ${more} more lines` : '', style: 'dim' },
  ];
}

const HINTS = {
  list: 'Enter detail · / filter · f failed · r redeliver · ? all keys · q quit',
  filter: 'type: host: status: code>=400 or a word · Enter apply · Esc cancel',
  detail: '↑↓ scroll · r redeliver · y copy id · o open · Esc back',
  help: 'Esc back',
  trigger: '← → choose · Enter confirm · Esc cancel',
  confirm: 'Enter redeliver · Esc cancel',
};

function hints({ panel }: ViewState): Line {
  return [{ text: HINTS[panel.open], style: 'dim' }];
}
