import type { ActivityItem } from '../../../emulator/state/activity.ts';
import { changeOf, changeWords } from '../../events/event-words.ts';
import { BAD_MARK, GOOD_MARK, type StateMark, WARNING_MARK } from '../../output/marks.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';

/** The kinds of rows that the user can filter by. */
export const ROW_KINDS = ['api', 'edge', 'event', 'webhook', 'mail', 'log'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** A line of the emulator's screen. Its texts are safe to print. */
export interface ActivityRow {
  /** The kind to filter by. Null for a row that no filter hides, such as a reset. */
  kind: RowKind | null;
  /** The emulator's time, such as `12:00:00`, in UTC. */
  time: string;
  /** The emulator's date, such as `2026-11-20`. The list shows a date only where the day changes. */
  day: string;
  /** A short result, such as the status of a response. */
  outcome: string;
  /** The mark before the time, in the colour of the row. */
  mark: string;
  style: Style;
  text: string;
  /** The data for the row's detail page; null if the row has none. */
  item: ActivityItem | null;
}

/** Returns the row for an item of activity. Hostnames, paths and subjects are untrusted, so every text goes through `plainText`. */
export function rowOf(item: ActivityItem): ActivityRow {
  return { kind: item.kind, ...timeOf(item.at), item, ...describe(item) };
}

/** Returns a row for a text without a detail page, such as a log line. */
export function noteRow(kind: RowKind | null, text: string, nowMs: number, look: StateMark): ActivityRow {
  return { kind, ...timeOf(nowMs), outcome: '', ...look, text: plainText(text), item: null };
}

function timeOf(atMs: number): Pick<ActivityRow, 'time' | 'day'> {
  const at = new Date(atMs).toISOString();
  return { time: at.slice(11, 19), day: at.slice(0, 10) };
}

function describe(item: ActivityItem): Pick<ActivityRow, 'outcome' | 'mark' | 'style' | 'text'> {
  switch (item.kind) {
    case 'api':
      return { ...outcomeOf(item.status), text: plainText(`${item.method} ${item.path}`) };
    case 'edge':
      return { ...outcomeOf(item.status), text: plainText(`${item.method} ${item.host ?? ''}${item.path}`) };
    case 'event': {
      const { symbol, style } = changeOf(item);
      return {
        outcome: '',
        mark: symbol,
        style: style ?? 'cyan',
        text: plainText(`${wordsOf(item)}  ${item.hostname}  ${changeWords(item)}`),
      };
    }
    case 'webhook': {
      const { hostname, attempt, response_ms: tookMs } = item;
      const took = tookMs === null ? '' : `  ${tookMs} ms`;
      const again = attempt > 1 ? `  attempt ${attempt}` : '';
      const reason = item.status === null ? `  ${item.error ?? 'no response'}` : '';
      return {
        ...outcomeOf(item.status),
        text: plainText(`${wordsOf(item)}  ${hostname}${took}${again}${reason}`),
      };
    }
    case 'mail':
      return { outcome: '', mark: '·', style: 'cyan', text: plainText(`${item.subject}  to ${item.to}`) };
  }
}

/** The width that aligns the hostnames after all event types except the longest one, so that a row fits 80 columns. */
const WORDS_WIDTH = 'DNS broken'.length;

function wordsOf(item: { type: string }): string {
  return changeOf(item).words.padEnd(WORDS_WIDTH);
}

function outcomeOf(status: number | null): Pick<ActivityRow, 'outcome' | 'mark' | 'style'> {
  if (status === null) return { outcome: '', ...BAD_MARK };
  const look = status < 300 ? GOOD_MARK : status < 500 ? WARNING_MARK : BAD_MARK;
  return { outcome: String(status), ...look };
}
