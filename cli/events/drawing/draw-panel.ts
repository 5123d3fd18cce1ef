import { plainText } from '../../output/plain-text.ts';
import { wrapText } from '../../output/wrap-text.ts';
import type { ViewState } from '../view/view-state.ts';
import { detailLines } from './draw-detail.ts';
import { brokenText } from './fit-text.ts';
import { KEY_HELP } from './key-help.ts';
import type { Line } from './line.ts';

const KEYS_WIDTH = 14;
const MEANING_WIDTH_MIN = 12;

/** Returns all lines of the panel that covers the rows: an event's detail or the keys. Returns none if no panel does. */
export function panelLines({ panel, size: { columns }, hasEmulator }: ViewState): Line[] {
  if (panel.open === 'detail') {
    const { content } = panel;
    if (content.state === 'loading') return [[{ text: 'Loading the event …', style: 'dim' }]];
    if (content.state === 'loaded') return detailLines(content, columns);
    return brokenText(plainText(content.problem), columns).map((text) => [{ text, style: 'red' }]);
  }
  if (panel.open !== 'help') return [];
  return KEY_HELP.filter(({ emulator }) => hasEmulator || !emulator).flatMap(({ keys, does }) =>
    wrapText(does, Math.max(MEANING_WIDTH_MIN, columns - KEYS_WIDTH)).map(
      (text, index): Line => [
        { text: (index === 0 ? `  ${keys}` : '').padEnd(KEYS_WIDTH), style: 'bold' },
        { text },
      ],
    ),
  );
}
