import { replaceParts } from './replace.ts';

/** Sends a form without leaving the page, which keeps its place; where that fails, the browser sends it as it always would. */
export function submitQuietly(): void {
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['quiet'] === undefined) return;
    event.preventDefault();
    const button = form.querySelector('button');
    if (button?.getAttribute('aria-disabled') === 'true') return;
    button?.setAttribute('aria-disabled', 'true');
    try {
      const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(fields) });
      // An answer that is not this page is shown as a page of its own.
      if (!replaceParts(await answer.text())) form.submit();
    } catch {
      form.submit();
    } finally {
      button?.removeAttribute('aria-disabled');
    }
  });
}
