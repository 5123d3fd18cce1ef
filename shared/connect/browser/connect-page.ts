import { announce, words } from './announce.ts';
import { answerClicks } from './on-click.ts';
import { showTimes } from './page-times.ts';
import { keepFresh } from './refresh.ts';
import { replaceParts } from './replace.ts';
import { restAnimation } from './rest-animation.ts';

/** The script of the customer's pages. Without it, everything works except copying and automatic refresh. */
document.documentElement.classList.add('scripted');

const TIMES_EVERY_MS = 5000;

addEventListener('DOMContentLoaded', () => {
  // A notice is shown once. Without this, a reload of the page would show the notice again.
  forgetNotice();
  answerClicks(document, words, announce);
  submitQuietly();
  showTimes();
  setInterval(showTimes, TIMES_EVERY_MS);
  restAnimation();
  keepFresh();
});

/** Removes the parameter of the notice from the page's URL. The parameters of the language and the provider stay. */
function forgetNotice(): void {
  const query = new URLSearchParams(location.search);
  for (const name of [...query.keys()]) if (!KEPT.includes(name)) query.delete(name);
  const kept = query.size === 0 ? '' : `?${query}`;
  if (location.search !== kept) history.replaceState(null, '', location.pathname + kept);
}

const KEPT = ['lang', 'provider'];

/** Sends forms with fetch, so that the page keeps its scroll position. If the request fails, the browser sends the form as usual. */
function submitQuietly(): void {
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['quiet'] === undefined) return;
    event.preventDefault();
    const button = form.querySelector('button');
    if (button?.getAttribute('aria-disabled') === 'true') return;
    button?.setAttribute('aria-disabled', 'true');
    try {
      const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(fields) });
      // If the response is a different page, such as an error, shows it as a whole.
      if (!replaceParts(await response.text())) form.submit();
    } catch {
      form.submit();
    } finally {
      button?.removeAttribute('aria-disabled');
    }
  });
}
