/** Announces a text to screen readers, even if it is the same text again. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer === null) return;
  announcer.textContent = '';
  setTimeout(() => {
    announcer.textContent = text;
  }, 50);
}

/** The texts that the script shows, in the language of the page. */
export function words(): Record<'copied' | 'copyFailed' | 'selectIt' | 'justNow' | 'soon', string> {
  const { copied = '', copyFailed = '', selectIt = '', justNow = '', soon = '' } = document.body.dataset;
  return { copied, copyFailed, selectIt, justNow, soon };
}
