import { Text } from 'ink';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { TitleBar } from '../../screen/title-bar.tsx';
import { durationWords, lengthWord } from '../event-words.ts';
import type { FeedConnection } from '../view/event-rows.ts';
import type { ViewState } from '../view/view-state.ts';
import type { ScreenSize } from './event-view.tsx';

/** The first line of the view: the two lists, the mode, the server, the connection state, and how far the emulator's clock was moved. */
export function Title({ state, size: { columns } }: { state: ViewState; size: ScreenSize }) {
  const { rows, mode, source, screen, time, clock } = state;
  const isLive = mode === 'live';
  const isNarrow = columns < 60;
  const { text, style } = connectionWords(rows.connection, time.nowMs);
  const hasAge = rows.answeredAtMs !== null && !(isNarrow && rows.connection.state === 'live');
  const age = hasAge ? durationWords(time.nowMs - (rows.answeredAtMs ?? 0)) : null;
  const ahead = aheadWords(clock?.aheadMs ?? 0);
  return (
    <TitleBar
      isLive={isLive}
      hasName={!isNarrow}
      right={
        <>
          <Text {...(!isLive && { color: style })}>{text}</Text>
          {age !== null && (
            <Text dimColor={!isLive} aria-hidden>
              {columns < 90 ? ` · ${age} ago` : ` · updated ${age} ago`}
            </Text>
          )}
          {ahead !== null && <Text {...(!isLive && { color: 'yellow' })}>{`  clock ${ahead}`}</Text>}{' '}
        </>
      }
    >
      {isNarrow ? (
        <Text bold>{` ${screen}`}</Text>
      ) : (
        TABS.map(([name, title]) => (
          <Text key={name} dimColor={name !== screen && !isLive}>
            {'  '}
            <Text bold={name === screen} underline={name === screen}>
              {title}
            </Text>
          </Text>
        ))
      )}
      <Text dimColor={!isLive}>{`  ${isLive ? 'LIVE' : 'test'} · ${plainText(source)}`}</Text>
    </TitleBar>
  );
}

const TABS = [
  ['events', 'Events'],
  ['domains', 'Domains'],
] as const;

/** Describes the state of the connection. Each state has its own symbol, so that the line also works without colours. */
function connectionWords(connection: FeedConnection, nowMs: number): { text: string; style: Style } {
  switch (connection.state) {
    case 'connecting':
      return { text: '◌ connecting', style: 'yellow' };
    case 'live':
      return { text: '● connected', style: 'green' };
    case 'retrying': {
      const waitS = secondsUntil(connection.untilMs, nowMs);
      return { text: waitS === 0 ? '○ retrying now' : `○ retrying in ${waitS} s`, style: 'yellow' };
    }
    case 'stopped': {
      const { status, code } = connection.error;
      const why = status === 401 || status === 403 ? 'key refused' : plainText(code).slice(0, CODE_CHARS_MAX);
      return { text: `✗ stopped: ${why}`, style: 'red' };
    }
  }
}

const CODE_CHARS_MAX = 24;

export function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}

/** Only a difference of at least this much means that someone moved the clock, because two clocks always differ a little. */
const MOVED_MS = 60_000;

/** Formats the distance by which the emulator's clock was moved, such as `+90 d`. Returns null if the clock was not moved. */
export function aheadWords(aheadMs: number): string | null {
  if (Math.abs(aheadMs) < MOVED_MS) return null;
  // Round up a little: the two clocks were read at slightly different times, so a move by 72 hours may appear some milliseconds shorter.
  return `${aheadMs < 0 ? '−' : '+'}${lengthWord(Math.abs(aheadMs) + MOVED_MS / 2)}`;
}
