import { LIMITS } from '../../../shared/core/limits.ts';
import { plainText } from '../../output/plain-text.ts';
import type { ViewState } from '../view/view-state.ts';
import { counted } from './event-words.ts';

/** What stands below the rows: the prompt that is open, else the last notice. */
export function footerText({ panel, notice }: ViewState): string {
  switch (panel.open) {
    case 'filter':
      return `/${panel.draft}▏${panel.problem === null ? '' : `  ${panel.problem}`}`;
    case 'confirm':
      return `Redeliver ${counted(panel.events.length, 'event')}, ${timeFor(panel.events.length)}? Enter yes, Esc no`;
    case 'trigger': {
      // From the chosen one on, which so is always in sight.
      const [chosen, ...others] = [...panel.names.slice(panel.chosen), ...panel.names.slice(0, panel.chosen)];
      return `Trigger for ${plainText(panel.event.hostname)}: [${chosen}] ${others.join(' ')}`;
    }
    default:
      return notice?.text ?? '';
  }
}

/** How long the limit makes it take. */
function timeFor(count: number): string {
  const minutes = Math.floor((count - 1) / LIMITS.redeliver_per_window);
  return minutes === 0 ? 'at once' : `about ${minutes} min at ${LIMITS.redeliver_per_window} a minute`;
}
