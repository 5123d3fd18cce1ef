import { addRequestForms } from './request-forms.ts';
import { startSearch } from './search-dialog.ts';
import { makeTabs } from './tabs.ts';
import { applyTheme, startThemeButton } from './theme.ts';

/**
 * The script of the documentation's pages. It runs before the page is drawn, so that the page never appears in the wrong theme first.
 */
const files = { ...document.currentScript?.dataset };

applyTheme();
document.addEventListener('DOMContentLoaded', () => {
  startThemeButton();
  makeTabs();
  addRequestForms();
  addCopyButtons();
  followOutline();
  startSearch(files['search'] ?? '', files['index'] ?? '');
  showCurrentPage();
});

/** Scrolls the sidebar to the link of this page. On a narrow screen, the sidebar is hidden until the reader opens it. */
function showCurrentPage(): void {
  const sidebar = document.querySelector<HTMLElement>('.sidebar');
  const link = sidebar?.querySelector<HTMLElement>('[aria-current]');
  if (!sidebar || !link) return;
  // This sets `scrollTop`, because `scrollIntoView` would also scroll the page itself, away from the section in the URL.
  const scroll = () => {
    sidebar.scrollTop = link.offsetTop - sidebar.clientHeight / 2;
  };
  scroll();
  sidebar.addEventListener('toggle', scroll);
}

/** Marks, in the page's list of headings, the section that the reader sees. */
export function followOutline(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (links.length === 0) return;
  const mark = () => {
    const line = innerHeight * 0.25;
    const past = headings.findLastIndex(
      (heading) => (heading?.getBoundingClientRect().top ?? Infinity) < line,
    );
    links.forEach((link, index) => {
      if (index === past) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  let isWaiting = false;
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** Adds a copy button to each block of code. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    block.append(button);
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const code = block.querySelector('code');
  if (code === null) return;
  try {
    await navigator.clipboard.writeText((code.textContent ?? '').trimEnd());
    say(button, 'Copied');
  } catch {
    // The clipboard works only with HTTPS or on localhost. Elsewhere, the code is selected so that the reader can copy it by hand.
    getSelection()?.selectAllChildren(code);
    say(button, 'Selected');
  }
}

const SAID_MS = 1500;

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  button.classList.add('done');
  setTimeout(() => {
    button.textContent = 'Copy';
    button.classList.remove('done');
  }, SAID_MS);
}
