/** Applies the theme that the reader chose. Without a choice, the page uses the theme of the operating system. */
export function applyTheme(): void {
  const chosen = readChoice('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}

/** Shows the button that switches between light and dark. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme-button');
  if (button === null) return;
  const show = () => {
    const other = shownTheme() === 'dark' ? 'light' : 'dark';
    button.setAttribute('aria-label', `Switch to ${other} colours`);
    button.title = `Switch to ${other} colours`;
  };
  button.addEventListener('click', () => {
    const other = shownTheme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = other;
    storeChoice('theme', other);
    show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
  button.hidden = false;
}

function shownTheme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Returns a choice that the reader made earlier; null if there is none, or if the browser stores nothing. */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(`docs-${name}`);
  } catch {
    return null;
  }
}

/** Stores a choice for later pages. In a browser that stores nothing, the choice is lost. */
export function storeChoice(name: string, value: string): void {
  try {
    localStorage.setItem(`docs-${name}`, value);
  } catch {
    // Without storage, the choice applies to this page only.
  }
}
