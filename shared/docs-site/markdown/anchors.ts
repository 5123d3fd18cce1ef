/** Returns the id of a heading, as common Markdown viewers derive it. */
export function anchorOf(title: string): string {
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replace(/\s/g, '-');
}

/** Creates a function that returns the ids of one page's headings in order. A repeated title gets a number. */
export function createAnchors(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const id = anchorOf(title);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}
