/** The words of the script, in the language of the page. */
export function words(): Record<'copied' | 'copyFailed' | 'selectIt' | 'justNow' | 'soon', string> {
  const { copied = '', copyFailed = '', selectIt = '', justNow = '', soon = '' } = document.body.dataset;
  return { copied, copyFailed, selectIt, justNow, soon };
}
