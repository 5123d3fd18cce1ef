import type { ScriptWords } from '../content/connect-content.ts';

const SHOWN_MS = 2000;

/**
 * Copies the text of a copy button when the button is clicked, and confirms the copy on the button and to screen readers. Shows the
 * follow-up text of a link once the visitor opens the link, because the link opens in another tab.
 * @param root the page, or the shadow root of the component.
 */
export function answerClicks(
  root: Document | ShadowRoot,
  words: () => ScriptWords,
  announce: (text: string) => void,
): void {
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('[data-copy]');
    if (button !== null) void copyOf(button);
    const text = root.getElementById(target.closest<HTMLElement>('[data-reveals]')?.dataset['reveals'] ?? '');
    if (!text?.hidden) return;
    text.hidden = false;
    announce(text.textContent ?? '');
  });

  async function copyOf(button: HTMLElement): Promise<void> {
    const { copied, copy_failed, select_it } = words();
    const isCopied = await copy(button.dataset['copy'] ?? '', button);
    announce((isCopied ? button.dataset['said'] : copy_failed) ?? '');
    show(button, isCopied ? copied : select_it);
  }
}

/** There is no clipboard API without HTTPS or in a frame without permission. The older method copies a selection. */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'hidden';
    button.after(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    button.focus();
    return isCopied;
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
