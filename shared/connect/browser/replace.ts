import { announce } from './announce.ts';
import { pulse } from './copy.ts';
import { restAnimation } from './rest-animation.ts';
import { writeTimes } from './times.ts';

/** The markup of each part as the server sent it. This script's own changes to the document do not count. */
const sent = new Map<string, string>();

function partsOf(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-live]')];
}

/** Remembers the markup that the page was loaded with. Call it before anything is changed. */
export function rememberParts(): void {
  for (const part of partsOf(document)) sent.set(part.id, part.outerHTML);
}

/**
 * Replaces the parts that changed, and announces what is new: the result of a form, or the new status. Focus stays where it was. If its
 * element is gone, focus goes to the headline.
 * @returns false if the markup has none of the parts.
 */
export function replaceParts(markup: string): boolean {
  const before = Object.fromEntries(OUTCOMES.map((id) => [id, textOf(id)]));
  const wasAsked = document.getElementById('status-notice') !== null;
  const parts = partsOf(new DOMParser().parseFromString(markup, 'text/html'));
  for (const part of parts) {
    const shown = document.getElementById(part.id);
    if (shown === null || sent.get(part.id) === part.outerHTML || keepsNotice(shown, part)) continue;
    sent.set(part.id, part.outerHTML);
    replaceKeepingFocus(shown, part);
  }
  document.title = pulse().title || document.title;
  writeTimes();
  restAnimation();
  const notice = document.querySelector<HTMLElement>('[data-notice]:not([data-spoken])');
  notice?.setAttribute('data-spoken', '');
  const isAnswered = wasAsked && document.getElementById('status-notice') === null;
  const outcomes = OUTCOMES.map((id) => (isAnswered || textOf(id) !== before[id] ? textOf(id) : ''));
  const news = [notice?.innerText, ...outcomes].filter(Boolean);
  if (news.length > 0) announce(news.join('. '));
  return parts.length > 0;
}

/** The results of a check. Announced when they change, and when the customer asked for a check. */
const OUTCOMES = ['headline', 'result'] as const;

/**
 * Returns whether to keep a part because it shows the result of the email form. The notice and the typed address stay as long as the form
 * does.
 */
function keepsNotice(shown: HTMLElement, part: HTMLElement): boolean {
  return (
    shown.querySelector(NOTICE) !== null && part.querySelector('form') !== null && !part.querySelector(NOTICE)
  );
}

const NOTICE = '#notify-notice';

function replaceKeepingFocus(before: HTMLElement, after: HTMLElement): void {
  const focused = document.activeElement;
  const opened = before.querySelector('details')?.open ?? false;
  const heldFocus = focused !== null && before.contains(focused);
  before.replaceWith(after);
  if (opened) after.querySelector('details')?.setAttribute('open', '');
  if (!heldFocus) return;
  const place = (focused.id && document.getElementById(focused.id)) || document.getElementById('headline');
  place?.focus({ preventScroll: true });
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}
