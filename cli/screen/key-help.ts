import { wrapText } from '../output/wrap-text.ts';
import type { KeyBinding } from './key-bindings.ts';
import { pageLines } from './page-lines.ts';

const KEYS_WIDTH = 14;
const MEANING_WIDTH_MIN = 12;

/** Returns lines with the keys of a view and what they do. */
export function keyHelpLines(
  bindings: readonly Pick<KeyBinding<unknown>, 'shown' | 'does'>[],
  columns: number,
): string[] {
  return pageLines(columns, ({ paint }) =>
    bindings
      .filter(({ shown }) => shown !== '')
      .flatMap(({ shown, does }) =>
        wrapText(does, Math.max(MEANING_WIDTH_MIN, columns - KEYS_WIDTH)).map(
          (text, index) => paint('bold', (index === 0 ? shown : '').padEnd(KEYS_WIDTH)) + text,
        ),
      ),
  );
}
