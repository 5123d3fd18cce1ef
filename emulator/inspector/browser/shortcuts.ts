import { useEffect } from 'react';
import { go, pathTo, VIEWS } from './navigation.ts';
import { createStore, useStore } from './store.ts';

/** What a key does, for the help and for the hand. */
export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['1 … 6', 'go to a view'],
  ['/', 'filter the list'],
  ['l', 'go to the list'],
  ['j k ↓ ↑', 'next and previous row'],
  ['Home End PgUp PgDn', 'far moves in the list'],
  ['Enter', 'open the row'],
  ['Esc', 'close what is open'],
  ['r', 'redeliver the event, replay the request'],
  ['n', 'move the clock to what is due next'],
  ['i', 'move the clock until idle'],
  ['c', 'open the clock'],
  ['?', 'this help'],
];

const KEPT_AS = 'inspector-shortcuts';
/** A key alone can be pressed by accident, and by speech (WCAG 2.1.4): they can be turned off. */
const enabled = createStore(localStorage.getItem(KEPT_AS) !== 'off');

export function useShortcutsEnabled(): [boolean, (on: boolean) => void] {
  const set = (on: boolean) => {
    localStorage.setItem(KEPT_AS, on ? 'on' : 'off');
    enabled.set(on);
  };
  return [useStore(enabled), set];
}

/** A key that presses what carries this attribute. */
const PRESSED: Readonly<Record<string, string>> = {
  r: '[data-main]',
  n: '[data-next]',
  i: '[data-idle]',
  c: '[data-clock]',
  '?': '[data-help]',
};

/** Listens on the whole page, but for where somebody types and while a dialog is open. */
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

/** @returns whether the key did something. */
function press(key: string): boolean {
  if (key === 'Escape') return click('[data-close]');
  if (!enabled.get()) return false;
  const view = VIEWS[Number(key) - 1];
  if (view !== undefined) {
    go(pathTo(view));
    return true;
  }
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
