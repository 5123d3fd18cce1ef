import { Box, Text, useWindowSize } from 'ink';
import wrapAnsi from 'wrap-ansi';
import { plainText } from '../output/plain-text.ts';
import { textWidth } from '../output/table.ts';
import type { TextInput } from './text-input.ts';

/** The result of a key, or an error. */
export interface FooterNotice {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

/** A notice on the screen. It disappears at `untilMs`, a time of `elapsedMs`. With null, it stays until the next notice. */
export type ShownNotice = FooterNotice & { untilMs: number | null };

const TONES = { plain: {}, good: { color: 'green' }, bad: { color: 'red' } } as const;
/** Errors stay longer, because they take longer to read and to act on. */
const SHOWN_MS = { plain: 6_000, good: 6_000, bad: 20_000 } as const;

export function noticedAt(notice: FooterNotice | null, nowMs: number): ShownNotice | null {
  return notice && { ...notice, untilMs: nowMs + SHOWN_MS[notice.tone] };
}

/** Returns the notice; null if its time is over. */
export function lasting(notice: ShownNotice | null, nowMs: number): ShownNotice | null {
  return notice?.untilMs != null && nowMs >= notice.untilMs ? null : notice;
}

/** A question to the user. */
export interface Prompt {
  label: string;
  /** The text that the user types; null for a question that a key answers. */
  input?: TextInput;
  /** Why the text cannot be used; null if it can. */
  problem?: string | null;
}

interface FooterProps {
  /** Shown in place of the notice. */
  prompt: Prompt | null;
  notice: FooterNotice | null;
  /** The keys to show, the most important first. The footer leaves out the keys that do not fit. */
  hints: readonly string[];
  hasHints: boolean;
}

/** The share of the screen that a long notice may take. */
const NOTICE_SHARE = 5;

/** The last lines of a screen: the open question or the last notice, and the keys. Without a notice, its line stays empty, so that the rows above do not jump. */
export function Footer({ prompt, notice, hints, hasHints }: FooterProps) {
  const { columns, rows } = useWindowSize();
  const linesMax = Math.max(1, Math.floor(rows / NOTICE_SHARE));
  return (
    <>
      {prompt === null ? (
        <Box minHeight={1} flexShrink={0} paddingLeft={1}>
          {notice && (
            <Text {...TONES[notice.tone]}>{shortened(plainText(notice.text), columns - 1, linesMax)}</Text>
          )}
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
