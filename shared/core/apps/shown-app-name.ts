/** Returns an app's name as pages show it, without characters that could reorder or hide the text around it. */
export function shownAppName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim() || 'the app';
}
