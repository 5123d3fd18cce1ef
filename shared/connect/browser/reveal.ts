import { announce } from './announce.ts';

/** Shows the text that belongs to a link once the link is followed, because the link opens in a tab of its own. */
export function revealOnClick(): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLElement>('[data-reveals]') : null;
    const text = document.getElementById(link?.dataset['reveals'] ?? '');
    if (text === null || !text.hidden) return;
    text.hidden = false;
    announce(text.textContent ?? '');
  });
}
