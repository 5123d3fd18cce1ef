import { announce, words } from './announce.ts';

const SHOWN_MS = 2000;

/** Copies the text of a copy button when the button is clicked. Confirms the copy on the button and to screen readers. */
export function copyOnClick(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    if (button === null) return;
    const copied = await copy(button.dataset['copy'] ?? '', button);
    announce((copied ? button.dataset['said'] : words().copyFailed) ?? '');
    show(button, copied ? words().copied : words().selectIt);
  });
}

/** Browsers offer the clipboard API only over HTTPS. The older method copies a selection. */
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

/** Data from the server about the state of the page. */
export interface Pulse {
  /** The path from which to request a newer version of the page. */
  path: string;
  /** The time between two refreshes; null if the page will not change. */
  refresh_ms: number | null;
  title: string;
  /** The server's time in milliseconds. `heard_at` is when the server's time arrived, by this machine's clock. */
  now: number;
  heard_at: number;
}

let heard: { revision: string; now: string; at: number } | undefined;

export function pulse(): Pulse {
  const {
    path = '',
    revision = '',
    refresh = '',
    title = '',
    now = '',
  } = document.getElementById('pulse')?.dataset ?? {};
  if (heard?.revision !== revision || heard.now !== now) heard = { revision, now, at: Date.now() };
  return {
    path,
    refresh_ms: refresh === '' ? null : Number(refresh) * 1000,
    title,
    now: Date.parse(now),
    heard_at: heard.at,
  };
}
