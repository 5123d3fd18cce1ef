import { useEffect } from 'react';
import { createSharedValue, useSharedValue } from '../../../shared/dashboard/browser/shared-value.ts';

/** The keyboard shortcuts, as the help shows them. */
export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['1 … 9 0', 'go to a view'],
  ['/', 'filter the list'],
  ['l', 'go to the list'],
  ['j k ↓ ↑', 'next and previous row'],
  ['Home End PgUp PgDn', 'jump in the list'],
  ['Enter', 'open the row'],
  ['Esc', 'close the details'],
  ['r', 'redeliver the event or replay the request'],
  ['n', 'move the clock to the next due work'],
  ['i', 'move the clock until idle'],
  ['c', 'open the clock'],
  ['?', 'show this help'],
];

const STORAGE_KEY = 'lab-shortcuts';
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
  r: '[data-main]',
  n: '[data-next]',
  i: '[data-idle]',
  c: '[data-clock]',
  '?': '[data-help]',
};

/** Handles shortcuts on the whole page, except in input fields and while a dialog is open. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (isTyping(event.target)) {
        if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
        return;
      }
      if (press(event.key)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Runs the action of a key. @returns true if the key has an action. */
function press(key: string): boolean {
  if (!enabled.get()) return false;
  if (/^\d$/.test(key)) return click(`nav a:nth-of-type(${key === '0' ? 10 : key})`);
  if (key === '/') return focus('[data-search]');
  if (key === 'l' || key === 'j') return focus('[data-rows] a[tabindex="0"]');
  return PRESSED[key] !== undefined && click(PRESSED[key]);
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
