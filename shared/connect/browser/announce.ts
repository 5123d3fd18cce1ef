/** Announces a text to screen readers, even if it is the same text again. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer === null) return;
  announcer.textContent = '';
  setTimeout(() => {
    announcer.textContent = text;
  }, 50);
}
