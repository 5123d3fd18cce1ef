import { plainText } from '../../output/plain-text.ts';
import { cutLine, type Line } from '../../terminal/line.ts';
import type { ViewNotice, ViewState } from '../view/view-state.ts';
import { domainColumnNames, domainRowLines } from './draw-domains.ts';
import { panelLines } from './draw-panel.ts';
import { columnNames, eventRowLines } from './draw-rows.ts';
import { connectionLine, countLine } from './draw-top.ts';
import { coversList, frameLayout } from './frame-layout.ts';

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
  const list = LISTS[state.screen];
  const covers = coversList(panel);
  const content = covers ? panelLines(state).slice(panel.scroll, panel.scroll + body) : list.rows(state, now);
  const tone = panel.open === 'list' || covers ? TONES[state.notice?.tone ?? 'plain'] : ('cyan' as const);
  return [
    connectionLine(state, nowMs),
    covers ? panelTitle(state, body) : countLine(state, nowMs),
    ...(hasColumnNames ? [list.names(columns)] : []),
    ...filled(content, body),
    ...footer.map((text): Line => [tone === undefined ? { text } : { text, style: tone }]),
    ...(hasHints ? [hints(state)] : []),
  ]
    .slice(0, lines)
    .map((line) => cutLine(line, columns));
}

const LISTS = {
  events: { rows: eventRowLines, names: columnNames },
  domains: { rows: domainRowLines, names: domainColumnNames },
};

const TONES = { plain: undefined, good: 'green', bad: 'red' } as const satisfies Record<
  ViewNotice['tone'],
  unknown
>;

function filled(lines: readonly Line[], count: number): Line[] {
  return Array.from({ length: count }, (_, index) => lines[index] ?? []);
}

function panelTitle(state: ViewState, body: number): Line {
  const { panel } = state;
  const scroll = 'scroll' in panel ? panel.scroll : 0;
  const more = panelLines(state).length - scroll - body;
  return [
    { text: titleOf(panel), style: 'bold' },
    { text: more > 0 ? `  · ${more} more ${more === 1 ? 'line' : 'lines'}` : '', style: 'dim' },
  ];
}

function titleOf(panel: ViewState['panel']): string {
  if (panel.open === 'detail') return plainText(`${panel.event.type}  ${panel.event.hostname}`);
  if (panel.open === 'domain') return plainText(panel.domain.hostname);
  return panel.open === 'text' ? panel.title : 'Keys';
}

const LIST_HINTS = {
  events: 'Enter detail · / filter · f failed · r redeliver · Tab domains · ? keys · q quit',
  domains: 'Enter records · d diagnose · e events · / filter · Tab events · ? keys · q quit',
};
const HINTS = {
  detail: '↑↓ scroll · n p next · r redeliver · c curl · y copy id · d domain · Esc back',
  domain: '↑↓ scroll · d diagnose · v check now · t trigger · o open · Esc back',
  text: 'Esc back',
  help: 'Esc back',
  trigger: '← → choose · Enter confirm · Esc cancel',
  confirm: 'Enter redeliver · Esc cancel',
};
const FILTER_HINTS = {
  events: 'type: host: status: code>=400 or a word · - excludes · a|b · ↑ earlier',
  domains: 'the beginning of a hostname, or status:active · Enter apply · Esc cancel',
};

function hints({ panel, screen }: ViewState): Line {
  const text =
    panel.open === 'list'
      ? LIST_HINTS[screen]
      : panel.open === 'filter'
        ? FILTER_HINTS[panel.of]
        : HINTS[panel.open];
  return [{ text, style: 'dim' }];
}
