import { Box, Text } from 'ink';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import { plainText } from '../../output/plain-text.ts';
import { Footer, type Prompt } from '../../screen/footer.tsx';
import { counted } from '../event-words.ts';
import { coversList, draftProblem, type Panel, type ViewState } from '../view/view-state.ts';
import type { ScreenSize } from './event-view.tsx';

/** Draws the lines below the list: an introduction, the open prompt or the last notice, and the key hints. */
export function ViewFooter({ state, size }: { state: ViewState; size: ScreenSize }) {
  const { panel, notice, screen, intro, mode } = state;
  const hasPage = coversList(panel) || state.behind !== null;
  return (
    <>
      {size.rows >= (hasPage ? 40 : 20) && intro.length > 0 && (
        <Box flexDirection="column" flexShrink={0} paddingX={1}>
          {intro.map((line) => (
            <Text key={line}>{line}</Text>
          ))}
        </Box>
      )}
      <Footer
        prompt={promptOf(panel, mode)}
        notice={notice}
        hints={hintsOf(panel, screen)}
        hasHints={size.hasHints}
      />
    </>
  );
}

function promptOf(panel: Panel, mode: ViewState['mode']): Prompt | null {
  if (panel.open === 'filter') return { label: '/', input: panel.input, problem: draftProblem(panel) };
  return panel.open === 'confirm' || panel.open === 'trigger' ? { label: questionOf(panel, mode) } : null;
}

function questionOf(panel: Panel & { open: 'confirm' | 'trigger' }, mode: ViewState['mode']): string {
  if (panel.open === 'trigger') {
    // Put the chosen trigger first, so that it is visible on a narrow screen too.
    const [chosen, ...others] = [...panel.names.slice(panel.chosen), ...panel.names.slice(0, panel.chosen)];
    return `Trigger for ${plainText(panel.domain.hostname)}: [${chosen}] ${others.join(' ')}`;
  }
  const { length } = panel.events;
  const question = `Redeliver ${counted(length, 'event')}, ${timeFor(length)}?`;
  return mode === 'live' ? `LIVE MODE: your receiver in production gets this. ${question}` : question;
}

/** Describes how long it takes to redeliver `count` events under the rate limit. */
function timeFor(count: number): string {
  const minutes = Math.floor((count - 1) / BUDGETS.redeliver.limit);
  return minutes === 0 ? 'at once' : `about ${minutes} min at ${BUDGETS.redeliver.limit} a minute`;
}

const LIST_HINTS = {
  events: ['↵ detail', '/ filter', 'f failed', 'r redeliver', 'Tab domains', '? keys', 'q quit', 'x select'],
  domains: ['↵ records', 'd diagnose', 'e events', '/ filter', 'Tab events', '? keys', 'q quit'],
} as const;

const FILTER_HINTS = {
  events: [
    'type: host: status: code>=400 or a word',
    '↵ apply',
    'Esc cancel',
    '- excludes',
    'a|b',
    '↑ earlier',
  ],
  domains: ['the beginning of a hostname, or status:active', '↵ apply', 'Esc cancel'],
} as const;

const HINTS = {
  detail: ['↑↓ scroll', 'n p next', 'r redeliver', 'b body', 'c curl', 'y copy id', 'd domain', 'Esc back'],
  domain: ['↑↓ scroll', 'd diagnose', 'v check now', 'e events', 't trigger', 'o open', 'Esc back'],
  text: ['Esc back'],
  help: ['↑↓ scroll', 'Esc back'],
  trigger: ['← → choose', 'Enter confirm', 'Esc cancel'],
  confirm: ['Enter redeliver', 'Esc cancel'],
} as const;

function hintsOf(panel: Panel, screen: ViewState['screen']): readonly string[] {
  if (panel.open === 'list') return LIST_HINTS[screen];
  return panel.open === 'filter' ? FILTER_HINTS[panel.of] : HINTS[panel.open];
}
