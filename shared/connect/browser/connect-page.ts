import { copyOnClick } from './copy.ts';
import { submitQuietly } from './quiet-forms.ts';
import { keepFresh } from './refresh.ts';
import { restAnimation } from './rest-animation.ts';
import { showTimes } from './times.ts';

/** The script of the customer's pages. Without it, everything works except copying and automatic refresh. */
document.documentElement.classList.add('scripted');

addEventListener('DOMContentLoaded', () => {
  // A notice is shown once. Without this, a reload would show it again.
  if (location.search !== '') history.replaceState(null, '', location.pathname);
  copyOnClick();
  submitQuietly();
  showTimes();
  restAnimation();
  keepFresh();
});
