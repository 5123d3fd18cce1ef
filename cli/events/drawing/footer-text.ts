import { BUDGETS } from '../../../shared/core/budgets.ts';
import { plainText } from '../../output/plain-text.ts';
import { splitAtCursor } from '../../screen/text-input.ts';
import { counted } from '../event-words.ts';
import type { ViewState } from '../view/view-state.ts';

/** Returns the text below the rows: the open prompt, else the last notice. */
export function footerText({ panel, notice, mode }: ViewState): string {
  switch (panel.open) {
    case 'filter':
      return `/${splitAtCursor(panel.input).join('▏')}${panel.problem === null ? '' : `  ${panel.problem}`}`;
    case 'confirm':
      return confirmWords(panel.events.length, mode);
    case 'trigger': {
      // Starts at the chosen trigger, so that it is always visible.
      const [chosen, ...others] = [...panel.names.slice(panel.chosen), ...panel.names.slice(0, panel.chosen)];
      return `Trigger for ${plainText(panel.domain.hostname)}: [${chosen}] ${others.join(' ')}`;
    }
    default:
      return notice?.text ?? '';
  }
}

function confirmWords(count: number, mode: ViewState['mode']): string {
  const question = `Redeliver ${counted(count, 'event')}, ${timeFor(count)}?`;
  return mode === 'live' ? `LIVE MODE: your receiver in production gets this. ${question}` : question;
}

/** Says how long redelivering takes under the rate limit. */
function timeFor(count: number): string {
  const minutes = Math.floor((count - 1) / BUDGETS.redeliver.limit);
  return minutes === 0 ? 'at once' : `about ${minutes} min at ${BUDGETS.redeliver.limit} a minute`;
}
