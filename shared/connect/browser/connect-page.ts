import { copyOnClick } from './copy.ts';
import { submitQuietly } from './quiet-forms.ts';
import { keepFresh } from './refresh.ts';
import { restAnimation } from './rest-animation.ts';
import { showTimes } from './times.ts';

/** The script of the customer's pages. Without it everything works by itself but copying and updating. */
document.documentElement.classList.add('scripted');

addEventListener('DOMContentLoaded', () => {
  // An answer to a form was for once: a reload would say it again.
  if (location.search !== '') history.replaceState(null, '', location.pathname);
  copyOnClick();
  submitQuietly();
  showTimes();
  restAnimation();
  keepFresh();
});
