import { Box, Text } from 'ink';
import { plainText } from '../output/plain-text.ts';

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
  return (
    <Box minHeight={1} maxHeight={Math.max(1, linesMax)} flexShrink={0} paddingLeft={1} overflowY="hidden">
      {notice && <Text {...TONES[notice.tone]}>{plainText(notice.text)}</Text>}
    </Box>
  );
}
