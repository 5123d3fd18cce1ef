/** Says something to a screen reader, the same thing twice too. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer === null) return;
  announcer.textContent = '';
  setTimeout(() => {
    announcer.textContent = text;
  }, 50);
}
