/** An app's own words for itself as they stand on a page: without what could reorder or hide the words around them. */
export function shownAppName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim() || 'the app';
}
