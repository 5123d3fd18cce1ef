import { announce } from './announce.ts';

const SHOWN_MS = 2000;

/** Copies what a button stands for, and says so on the button and aloud. */
export function copyOnClick(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    if (button === null) return;
    const copied = await copy(button.dataset['copy'] ?? '', button);
    announce(copied ? `Copied ${button.dataset['what']}` : 'It could not be copied: select the text instead');
    show(button, copied ? 'Copied' : 'Select it');
  });
}

/** Where the page is not served over https there is no clipboard: the older way needs a selection. */
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
