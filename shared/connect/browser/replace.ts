import { announce } from './announce.ts';
import { focusAgain, keepOpen, outcomes } from './keep-state.ts';
import { showTimes } from './page-times.ts';
import { pulse } from './pulse.ts';
import { restAnimation } from './rest-animation.ts';

/** The markup of each part as the server last sent it, by id. It excludes later changes that this script made to the document. */
const sent = new Map<string, string>();

function partsOf(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-live]')];
}

/** Stores the markup of each part when the page was loaded. Call this before the script changes anything. */
export function rememberParts(): void {
  for (const part of partsOf(document)) sent.set(part.id, part.outerHTML);
}

/**
 * Replaces the parts of the page that have changed, and announces a new status or the result of a form. Keeps the focus. If the focused
 * element is gone, moves the focus to the headline.
 * @returns false if the given markup contains no parts.
 */
export function replaceParts(markup: string): boolean {
  const before = outcomes(document);
  const wasAsked = document.getElementById('status-notice') !== null;
  const parts = partsOf(new DOMParser().parseFromString(markup, 'text/html'));
  for (const part of parts) {
    const shown = document.getElementById(part.id);
    if (shown === null || sent.get(part.id) === part.outerHTML || keepsNotice(shown, part)) continue;
    sent.set(part.id, part.outerHTML);
    replaceKeepingFocus(shown, part);
  }
  document.title = pulse().title || document.title;
  showTimes();
  restAnimation();
  const notice = document.querySelector<HTMLElement>('[data-notice]:not([data-spoken])');
  notice?.setAttribute('data-spoken', '');
  const isAnswered = wasAsked && document.getElementById('status-notice') === null;
  const changed = outcomes(document).filter((text, at) => isAnswered || text !== before[at]);
  const news = [notice?.innerText, ...changed].filter(Boolean);
  if (news.length > 0) announce(news.join('. '));
  return parts.length > 0;
}

/**
 * Returns whether to keep a part because it shows the result of the email form. The notice and the typed address stay while the form is
 * shown.
 */
function keepsNotice(shown: HTMLElement, part: HTMLElement): boolean {
  return (
    shown.querySelector(NOTICE) !== null && part.querySelector('form') !== null && !part.querySelector(NOTICE)
  );
}

const NOTICE = '#notify-notice';

function replaceKeepingFocus(before: HTMLElement, after: HTMLElement): void {
  const focused = document.activeElement;
  const heldFocus = focused !== null && before.contains(focused);
  before.replaceWith(after);
  keepOpen(before, after);
  if (heldFocus) focusAgain(document, focused);
}
