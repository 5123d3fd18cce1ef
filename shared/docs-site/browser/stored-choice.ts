/** Reads a choice that the reader made earlier. Returns null if there is none, or if the browser stores nothing. */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(`docs-${name}`);
  } catch {
    return null;
  }
}

/** Stores a choice for later pages. A browser that stores nothing forgets it. */
export function storeChoice(name: string, value: string): void {
  try {
    localStorage.setItem(`docs-${name}`, value);
  } catch {
    // The choice holds for this page only.
  }
}
