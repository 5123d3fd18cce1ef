import type { ScriptWords } from '../content/connect-content.ts';

const PAUSE_MS = 50;
const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/** Announces a text to screen readers through an element with the role `status`, even if it is the same text again. */
export function announceIn(announcer: Element, text: string): void {
  announcer.textContent = '';
  clearTimeout(timers.get(announcer));
  const timer = setTimeout(() => {
    announcer.textContent = text;
  }, PAUSE_MS);
  timers.set(announcer, timer);
}

/** Announces a text of the connect page. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer !== null) announceIn(announcer, text);
}

/** Returns the texts that the script of the connect page shows, in the language of the page. */
export function words(): ScriptWords {
  return JSON.parse(document.body.dataset['words'] ?? '{}');
}
