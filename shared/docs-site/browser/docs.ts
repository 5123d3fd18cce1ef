import { addCopyButtons } from './copy-buttons.ts';
import { followOutline } from './outline.ts';
import { addRequestForms } from './request-forms.ts';
import { startSearch } from './search-dialog.ts';
import { makeTabs } from './tabs.ts';
import { applyTheme, startThemeButton } from './theme.ts';

/** The script of the documentation's pages. It runs before the page is drawn, so that a chosen theme does not flash. */
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
  // `scrollIntoView` would also scroll the page, away from its heading or from the section in the fragment of the URL.
  const scroll = () => {
    sidebar.scrollTop = link.offsetTop - sidebar.clientHeight / 2;
  };
  scroll();
  sidebar.addEventListener('toggle', scroll);
}
