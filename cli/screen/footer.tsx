import { Box, Text, useWindowSize } from 'ink';
import wrapAnsi from 'wrap-ansi';
import { BAD_MARK, GOOD_MARK } from '../output/marks.ts';
import { plainText } from '../output/plain-text.ts';
import { textWidth } from '../output/table.ts';
import { styleProps } from './row.tsx';
import type { TextInput } from './text-input.ts';

/** A message in the footer: the result of a key, or an error. */
export interface FooterNotice {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

/**
 * A notice on the screen. The notice disappears when `elapsedMs` reaches `untilMs`. If `untilMs` is null, it stays until the next notice.
 */
export type ShownNotice = FooterNotice & { untilMs: number | null };

const TONES = { plain: null, good: GOOD_MARK, bad: BAD_MARK } as const;
/** How long a notice stays. Errors stay longer, because users need more time to read them and to react. */
const SHOWN_MS = { plain: 6_000, good: 6_000, bad: 20_000 } as const;

export function noticedAt(notice: FooterNotice | null, nowMs: number): ShownNotice | null {
  return notice && { ...notice, untilMs: nowMs + SHOWN_MS[notice.tone] };
}

/** Returns the notice, or null if its time is over. */
export function lasting(notice: ShownNotice | null, nowMs: number): ShownNotice | null {
  return notice?.untilMs != null && nowMs >= notice.untilMs ? null : notice;
}

/** A question to the user in the footer. */
export interface Prompt {
  label: string;
  /** The text that the user is typing. Missing if the user answers the question with a single key. */
  input?: TextInput;
  /** The reason why the typed text is not valid; null if it is valid. */
  problem?: string | null;
}

interface FooterProps {
  /** The question to show instead of the notice; null if there is none. */
  prompt: Prompt | null;
  notice: FooterNotice | null;
  /** The keys to show, the most important first. The footer leaves out the keys that do not fit. */
  hints: readonly string[];
  hasHints: boolean;
}

/** A long notice may take one fifth of the screen's rows. */
const NOTICE_SHARE = 5;

/**
 * Draws the last lines of a screen: the open question or the last notice, and the key hints. Without a notice, the line stays empty, so
 * that the rows above do not move.
 */
export function Footer({ prompt, notice, hints, hasHints }: FooterProps) {
  const { columns, rows } = useWindowSize();
  const linesMax = Math.max(1, Math.floor(rows / NOTICE_SHARE));
  return (
    <>
      {prompt === null ? (
        <Box minHeight={1} flexShrink={0} paddingLeft={1}>
          {notice && <NoticeText notice={notice} columns={columns - 1} linesMax={linesMax} />}
        </Box>
      ) : (
        <PromptLine {...prompt} />
      )}
      {hasHints && (
        <Box height={1} flexShrink={0} flexWrap="wrap" columnGap={2} overflowY="hidden" paddingLeft={1}>
          {hints.map((hint) => (
            <Text key={hint} dimColor>
              {hint}
            </Text>
          ))}
        </Box>
      )}
    </>
  );
}

function NoticeText({
  notice,
  columns,
  linesMax,
}: {
  notice: FooterNotice;
  columns: number;
  linesMax: number;
}) {
  const tone = TONES[notice.tone];
  const text = `${tone === null ? '' : `${tone.mark} `}${plainText(notice.text)}`;
  return <Text {...styleProps(tone?.style ?? null)}>{shortened(text, columns, linesMax)}</Text>;
}

function PromptLine({ label, input, problem = null }: Prompt) {
  return (
    <Box minHeight={1} maxHeight={4} flexShrink={0} paddingLeft={1} overflowY="hidden">
      <Text color="cyan">
        {label}
        {input && `${input.before}▏${input.after}`}
        {problem !== null && <Text color="red">{`  ${problem}`}</Text>}
      </Text>
    </Box>
  );
}

/** Wraps a text, and ends it with an ellipsis if it needs more than `linesMax` lines. */
function shortened(text: string, width: number, linesMax: number): string {
  const lines = wrapAnsi(text, width, { hard: true }).split('\n');
  if (lines.length <= linesMax) return lines.join('\n');
  const shown = lines.slice(0, linesMax);
  const last = [...(shown.pop() ?? '')];
  while (textWidth(`${last.join('')}…`) > width) last.pop();
  return [...shown, `${last.join('')}…`].join('\n');
}
