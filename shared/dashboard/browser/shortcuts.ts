import { useEffect } from 'react';
import { createSharedValue, useSharedValue } from './shared-value.ts';

/** A line of the help for the keyboard. */
export type Shortcut = readonly [keys: string, what: string];

/** The keyboard shortcuts of every view. */
export const SHORTCUTS: readonly Shortcut[] = [
  ['⌘K Ctrl+K', 'find a hostname'],
  ['g d', 'go to Domains (g, then the first letter of any view)'],
  ['1 … 9 0', 'go to a view by its position'],
  ['/', 'filter the list, or find a hostname'],
  ['l', 'go to the list'],
  ['j k ↓ ↑', 'next and previous row, or domain on its page'],
  ['Home End PgUp PgDn', 'jump in the list'],
  ['Enter', 'open the row'],
  ['Esc', 'close the details'],
  ['r', 'send the event again or replay the request'],
  ['?', 'show this help'],
];

const STORAGE_KEY = 'dashboard-shortcuts';
/** Single-key shortcuts can be triggered by accident or by speech input, so they can be turned off (WCAG 2.1.4). */
const enabled = createSharedValue(localStorage.getItem(STORAGE_KEY) !== 'off');

export function useShortcutsEnabled(): [boolean, (on: boolean) => void] {
  const set = (on: boolean) => {
    localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off');
    enabled.set(on);
  };
  return [useSharedValue(enabled), set];
}

/** The keys that click an element, with the selector of the element. */
const PRESSED: Readonly<Record<string, string>> = {
  Escape: '[data-close]',
  r: '[data-main]',
  n: '[data-next]',
  i: '[data-idle]',
  c: '[data-clock]',
  '?': '[data-help]',
};

/** The second key of `g d` must follow within this time. */
const SEQUENCE_MS = 1500;
let goAt = Number.NEGATIVE_INFINITY;

/** Handles shortcuts on the whole page, except in input fields and while a dialog is open. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key === 'k' && click('[data-find]')) event.preventDefault();
        return;
      }
      if (isTyping(event.target)) {
        if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
        return;
      }
      if (press(event.key, event.timeStamp)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Runs the action of a key. @returns true if the key has an action. */
function press(key: string, atMs: number): boolean {
  if (!enabled.get()) return key === 'Escape' && click('[data-close]');
  const isSecond = atMs - goAt < SEQUENCE_MS;
  goAt = key === 'g' ? atMs : Number.NEGATIVE_INFINITY;
  if (key === 'g') return true;
  if (isSecond) return goTo(key);
  if (/^\d$/.test(key)) return click(`.side nav a:nth-of-type(${key === '0' ? 10 : key})`);
  if (key === '/') return focus('[data-search]') || click('[data-find]');
  if (/^[jk]$/i.test(key) && click(`[data-near="${key.toLowerCase()}"]`)) return true;
  if (key === 'l' || key === 'j') return focus('[data-rows] a[tabindex="0"]');
  return PRESSED[key] !== undefined && click(PRESSED[key]);
}

/** Opens the first view whose title begins with a letter. */
function goTo(letter: string): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('.side nav a')];
  const link = links.find(({ textContent }) => textContent.toLowerCase().startsWith(letter));
  link?.click();
  return link !== undefined;
}

function click(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.click();
  return element !== null;
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}
