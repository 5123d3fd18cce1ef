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
  document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'center' });
});
