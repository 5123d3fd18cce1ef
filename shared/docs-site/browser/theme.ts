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
    button.innerHTML = ICONS[other];
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

const ICONS = {
  light:
    '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1"/></svg>',
  dark: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z"/></svg>',
};

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
