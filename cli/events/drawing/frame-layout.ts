import { textWidth } from '../../output/table.ts';
import { wrapText } from '../../output/wrap-text.ts';
import type { Panel, ViewState } from '../view/view-state.ts';
import { footerText } from './footer-text.ts';

/** The division of the screen's lines. */
export interface FrameLayout {
  /** The number of lines of the terminal. */
  lines: number;
  columns: number;
  hasColumnNames: boolean;
  hasHints: boolean;
  /** The wrapped lines of the prompt or the notice. */
  footer: string[];
  /** The number of lines between the header and the footer. */
  body: number;
}

const ROWS_FOR_COLUMN_NAMES = 14;
const ROWS_FOR_HINTS = 12;
const FOOTER_SHARE = 5;
const HEADER_LINES = 2;

export function frameLayout(state: ViewState): FrameLayout {
  const { columns, rows } = state.size;
  const lines = Math.max(1, rows);
  const hasColumnNames = rows >= ROWS_FOR_COLUMN_NAMES && !coversList(state.panel);
  const hasHints = rows >= ROWS_FOR_HINTS;
  const footer = footerLines(footerText(state), columns - 1, Math.max(1, Math.floor(rows / FOOTER_SHARE)));
  const body = lines - HEADER_LINES - footer.length - (hasColumnNames ? 1 : 0) - (hasHints ? 1 : 0);
  return {
    lines,
    columns,
    hasColumnNames,
    hasHints,
    footer,
    body: Math.max(1, body),
  };
}

/** Returns true for a panel that is drawn in place of the list. The others are one line below it. */
export function coversList(panel: Panel): panel is Panel & { scroll: number } {
  return 'scroll' in panel;
}

/** Returns the line of the screen that holds the first row of a list, from 0. */
export function firstRowLine(state: ViewState): number {
  return HEADER_LINES + (frameLayout(state).hasColumnNames ? 1 : 0);
}

/** Returns the number of rows that fit. */
export function listHeight(state: ViewState): number {
  return frameLayout(state).body;
}

/** Wraps the footer into at least one line, so that the rows do not jump with every notice, and at most `max` lines. */
function footerLines(text: string, width: number, max: number): string[] {
  const lines = wrapText(text, width);
  if (lines.length <= max) return lines;
  const [last = ''] = lines.slice(max - 1);
  const room = width - 2;
  return [...lines.slice(0, max - 1), `${textWidth(last) > room ? last.slice(0, room) : last} …`];
}
