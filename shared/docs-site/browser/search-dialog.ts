import type { SearchAnswer, SearchQuestion } from './search-messages.ts';

/**
 * Opens the search dialog with a button, `/` or Ctrl-K. On the page for a URL that does not exist, the search begins with the last word of
 * the URL. The worker and its index load when the reader first points at the button, so that
 * pages load less. A build without an index has no search.
 */
export function startSearch(workerUrl: string, indexUrl: string): void {
  if (typeof Worker === 'undefined') return;
  const dialog = makeDialog();
  const input = dialog.querySelector('input') as HTMLInputElement;
  const list = dialog.querySelector('[role="listbox"]') as HTMLElement;
  const note = dialog.querySelector('.note') as HTMLParagraphElement;
  let worker: Worker | null = null;
  let asked = 0;

  function load(): Worker {
    if (worker !== null) return worker;
    worker = new Worker(`${workerUrl}?index=${encodeURIComponent(indexUrl)}`);
    worker.addEventListener('message', ({ data }: MessageEvent<SearchAnswer>) => {
      if (data.id === asked) show(data);
    });
    return worker;
  }

  function ask(): void {
    const query = input.value.trim();
    asked++;
    if (query === '') show({ id: asked, found: [], isReady: true });
    else load().postMessage({ id: asked, query } satisfies SearchQuestion);
  }

  function show({ found, isReady }: SearchAnswer): void {
    list.replaceChildren(...found.map(resultItem));
    select(0);
    const isEmpty = input.value.trim() === '';
    note.hidden = found.length > 0;
    note.textContent = isEmpty
      ? HINT
      : isReady
        ? 'Nothing found. Try fewer words.'
        : 'The search could not load. Reload the page.';
    input.setAttribute('aria-expanded', String(found.length > 0));
  }

  function select(place: number): void {
    const items = [...list.children];
    const at = Math.max(0, Math.min(place, items.length - 1));
    for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === at));
    const selected = items[at];
    if (selected === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', selected.id);
    selected?.scrollIntoView({ block: 'nearest' });
  }

  const selectedPlace = () =>
    [...list.children].findIndex((item) => item.getAttribute('aria-selected') === 'true');
  function open(query = input.value): void {
    if (dialog.open) return;
    load();
    dialog.showModal();
    input.value = query;
    ask();
    input.select();
  }

  input.addEventListener('input', ask);
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      select(selectedPlace() + step);
      event.preventDefault();
    } else if (event.key === 'Enter') {
      (list.children[selectedPlace()] as HTMLElement | undefined)?.click();
    }
  });
  // A click on the backdrop closes the dialog. A click on a link does too, because the link may lead to a section of the same page.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target as Element).closest('a') !== null) dialog.close();
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>('.ask')) {
    const label = button.closest('.lost') === null ? null : button.querySelector('span');
    const word = label === null ? undefined : /[\w-]+(?=(?:\.md)?\/?$)/.exec(location.pathname)?.[0];
    if (label !== null && word) label.textContent = word;
    button.addEventListener('click', () => open(word));
    for (const event of ['pointerenter', 'focus']) button.addEventListener(event, load, { once: true });
    button.hidden = false;
  }
  addEventListener('keydown', (event) => {
    const isShortcut = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut || isTyping(event.target)) return;
    event.preventDefault();
    open();
  });
}

const HINT = 'Search the guides, the API, the error codes and the status reasons.';

function makeDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.setAttribute('aria-label', 'Search the documentation');
  dialog.innerHTML = `<input type="search" role="combobox" aria-label="Search" aria-controls="results" aria-expanded="false" autocomplete="off" spellcheck="false" placeholder="Search the docs">
<p class="note" role="status">${HINT}</p>
<div id="results" role="listbox" aria-label="Results"></div>`;
  document.body.append(dialog);
  return dialog;
}

function resultItem(
  { title, page, href, excerpt, terms }: SearchAnswer['found'][number],
  index: number,
): HTMLAnchorElement {
  const home = document.documentElement.dataset['home'] ?? '/docs';
  const link = document.createElement('a');
  link.id = `result-${index}`;
  link.setAttribute('role', 'option');
  link.href = href === '' || href.startsWith('#') ? home + href : `${home.replace(/\/$/, '')}/${href}`;
  link.tabIndex = -1;
  link.append(...marked(title, terms));
  if (page !== title) {
    const where = document.createElement('span');
    where.className = 'where';
    where.textContent = ` · ${page}`;
    link.append(where);
  }
  const words = document.createElement('small');
  words.append(...marked(excerpt, terms));
  link.append(words);
  return link;
}

/** Returns the parts of a text, with the found terms in `mark` elements where they are whole words. */
function marked(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  const longestFirst = [...terms].sort((a, b) => b.length - a.length);
  const words = longestFirst.map((term) => term.replace(/[^\p{L}\p{N}_-]/gu, '\\$&')).join('|');
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(${words})(?![\\p{L}\\p{N}])`, 'giu');
  return text.split(any).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
