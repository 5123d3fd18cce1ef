import { replaceParts } from './replace.ts';

/** Sends forms without leaving the page, so that it keeps its scroll position. If that fails, the browser sends the form as usual. */
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
      const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(fields) });
      // A response that is not this page is shown as a page of its own.
      if (!replaceParts(await response.text())) form.submit();
    } catch {
      form.submit();
    } finally {
      button?.removeAttribute('aria-disabled');
    }
  });
}
