import type { ScriptWords } from '../content/connect-content.ts';

/**
 * Shows every time in the visitor's time zone and language. In English, dates are formatted for the locale of the browser.
 * @param now the server's time in milliseconds.
 */
export function writeTimes(root: ParentNode, now: number, language: string, words: ScriptWords): void {
  const locale = language === 'en' ? undefined : language;
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-time]')) {
    const at = new Date(time.dateTime);
    const local = dates.format(at);
    const isLocal = time.dataset['time'] === 'local';
    const text = isLocal ? local : relative(at.getTime() - now, language, words);
    // Writes only texts that have changed, so that a selection of the visitor survives.
    if (time.textContent !== text) time.textContent = text;
    time.title = local;
  }
}

function relative(ms: number, language: string, words: ScriptWords): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const seconds = Math.round(ms / 1000);
  if (seconds <= 0 && seconds > -10) return words.just_now;
  if (Math.abs(seconds) < 10) return words.soon;
  if (Math.abs(seconds) < 60) return format.format(Math.round(seconds / 10) * 10, 'second');
  const minutes = Math.round(seconds / 60);
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day');
}
