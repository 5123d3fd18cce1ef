import { copyOnClick } from './copy.ts';
import { submitQuietly } from './quiet-forms.ts';
import { keepFresh } from './refresh.ts';
import { restAnimation } from './rest-animation.ts';
import { revealOnClick } from './reveal.ts';
import { showTimes } from './times.ts';

/** The script of the customer's pages. Without it, everything works except copying and automatic refresh. */
document.documentElement.classList.add('scripted');

addEventListener('DOMContentLoaded', () => {
  // A notice is shown once. Without this, a reload would show it again.
  forgetNotice();
  copyOnClick();
  revealOnClick();
  submitQuietly();
  showTimes();
  restAnimation();
  keepFresh();
});

/** Removes the notice from the address of the page. The language and the provider stay. */
function forgetNotice(): void {
  const query = new URLSearchParams(location.search);
  for (const name of [...query.keys()]) if (!KEPT.includes(name)) query.delete(name);
  const kept = query.size === 0 ? '' : `?${query}`;
  if (location.search !== kept) history.replaceState(null, '', location.pathname + kept);
}

const KEPT = ['lang', 'provider'];
