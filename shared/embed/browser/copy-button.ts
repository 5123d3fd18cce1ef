import type { CopyWords } from '../../connect/content/connect-content.ts';
import type { Drawing } from './draw-content.ts';
import { element } from './element.ts';

const SHOWN_MS = 2000;

/** Draws a button that copies a text. It confirms that on itself and to screen readers. */
export function copyButton(text: string, { label, name, said }: CopyWords, key: string, drawing: Drawing) {
  const { announce, words } = drawing;
  const button = element(
    'button',
    { part: 'button copy', type: 'button', 'aria-label': name, 'data-key': key },
    label,
  );
  button.addEventListener('click', async () => {
    const copied = await copy(text, button);
    announce(copied ? said : words.copy_failed);
    button.textContent = copied ? words.copied : words.select_it;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
  return button;
}

/** Without https, or without the permission of a frame, there is no clipboard API. The older method needs a selection. */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    area.value = text;
    button.after(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    button.focus();
    return copied;
  }
}
