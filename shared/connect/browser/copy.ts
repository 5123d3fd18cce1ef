import { announce } from './announce.ts';
import { words } from './words.ts';

const SHOWN_MS = 2000;

/** Copies a button's text when it is clicked. Confirms it on the button and to screen readers. */
export function copyOnClick(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    if (button === null) return;
    const copied = await copy(button.dataset['copy'] ?? '', button);
    announce((copied ? button.dataset['said'] : words().copyFailed) ?? '');
    show(button, copied ? words().copied : words().selectIt);
  });
}

/** Without https, there is no clipboard API, and the older method needs a selection. */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'hidden';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    button.focus();
    return copied;
  }
}

function show(button: HTMLElement, text: string): void {
  const label = button.querySelector('span');
  if (label === null || button.classList.contains('copied')) return;
  const before = label.textContent;
  label.textContent = text;
  button.classList.add('copied');
  setTimeout(() => {
    label.textContent = before;
    button.classList.remove('copied');
  }, SHOWN_MS);
}
