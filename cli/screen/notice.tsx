import { Box, Text, useWindowSize } from 'ink';
import wrapAnsi from 'wrap-ansi';
import { plainText } from '../output/plain-text.ts';
import { textWidth } from '../output/table.ts';

/** The result of a key, or an error. */
export interface Notice {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

const TONES = { plain: {}, good: { color: 'green' }, bad: { color: 'red' } } as const;
/** Errors stay longer, because they take longer to read and to act on. */
const SHOWN_MS = { plain: 6_000, good: 6_000, bad: 20_000 } as const;

/** Returns when the notice goes away. Times are those of one monotonic clock, in milliseconds. */
export function endOf({ tone }: Notice, shownMs: number): number {
  return shownMs + SHOWN_MS[tone];
}

interface NoticeLineProps {
  notice: Notice | null;
  /** The most lines that a long text may take. */
  linesMax: number;
}

/** The line for notices. Without one it stays empty, so that the rows above it do not jump. */
export function NoticeLine({ notice, linesMax }: NoticeLineProps) {
  const { columns } = useWindowSize();
  return (
    <Box minHeight={1} flexShrink={0} paddingLeft={1}>
      {notice && (
        <Text {...TONES[notice.tone]}>{shortened(plainText(notice.text), columns - 1, linesMax)}</Text>
      )}
    </Box>
  );
}

/** Wraps a text, and ends it with an ellipsis if it needs more than `linesMax` lines. */
function shortened(text: string, width: number, linesMax: number): string {
  const lines = wrapAnsi(text, width, { hard: true }).split('\n');
  if (lines.length <= Math.max(1, linesMax)) return lines.join('\n');
  const shown = lines.slice(0, Math.max(1, linesMax));
  const last = [...(shown.pop() ?? '')];
  while (textWidth(`${last.join('')}…`) > width) last.pop();
  return [...shown, `${last.join('')}…`].join('\n');
}
