import { addRequestForms } from './request-forms.ts';
import { startSearch } from './search-dialog.ts';
import { followLanguage } from './tabs.ts';
import { applyTheme, startThemeButton } from './theme.ts';

/**
 * The script of the documentation's pages. It runs before the page is drawn, so that the page never appears in the wrong theme first.
 */
const files = { ...document.currentScript?.dataset };

applyTheme();
document.addEventListener('DOMContentLoaded', () => {
  startThemeButton();
  followLanguage();
  addRequestForms();
  startCopyButtons();
  followHeadings();
  startSearch(files['search'] ?? '', files['index'] ?? '');
  showCurrentPage();
});

/** Scrolls the tree to the link of this page. On a narrow screen, the tree is hidden until the reader opens it. */
function showCurrentPage(): void {
  const tree = document.querySelector<HTMLElement>('.tree');
  const link = tree?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!tree || !link) return;
  // This sets `scrollTop`, because `scrollIntoView` would also scroll the page itself, away from the section in the URL.
  const scroll = () => {
    tree.scrollTop = link.offsetTop - tree.clientHeight / 2;
  };
  scroll();
  tree.addEventListener('toggle', scroll);
}

/** Marks, in the page's list of headings, the section that the reader sees. */
function followHeadings(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')];
  const topOf = ({ hash }: HTMLAnchorElement) =>
    document.getElementById(decodeURIComponent(hash.slice(1)))?.getBoundingClientRect().top ?? Infinity;
  const mark = () => {
    const seen = links.findLast((link) => topOf(link) < innerHeight / 4) ?? links[0];
    for (const link of links) link.setAttribute('aria-current', String(link === seen));
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}

/** Shows the copy button of each block of code, and of each path or code in a box. */
function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const codes = button.closest('.code, .call')?.querySelectorAll('code') ?? [];
  const code = [...codes].find((each) => each.checkVisibility());
  if (code === undefined) return;
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
  const label = button.querySelector('span');
  if (label === null) return;
  label.textContent = words;
  button.classList.add('done');
  setTimeout(() => {
    label.textContent = 'Copy';
    button.classList.remove('done');
  }, SAID_MS);
}
