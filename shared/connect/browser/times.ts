import { words } from './announce.ts';
import { pulse } from './copy.ts';

const { lang } = document.documentElement;
/** The locale of dates. On an English page, dates are formatted for the locale of the browser. */
const LOCAL = new Intl.DateTimeFormat(lang === 'en' ? undefined : lang, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const RELATIVE = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
const EVERY_MS = 5000;

/** Shows every time of the page in the reader's time zone and language, and keeps relative times up to date. */
export function showTimes(): void {
  writeTimes();
  setInterval(writeTimes, EVERY_MS);
}

export function writeTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-time]')) {
    const at = new Date(time.dateTime);
    const text = time.dataset['time'] === 'local' ? LOCAL.format(at) : relative(at.getTime() - serverNow());
    // Writes only texts that have changed, so that a selection of the reader survives.
    if (time.textContent !== text) time.textContent = text;
    time.title = LOCAL.format(at);
  }
}

/** Returns the server's time. The reader's clock may be wrong, so it is only used to measure the time since the latest response. */
function serverNow(): number {
  const { now, heard_at } = pulse();
  return now + (Date.now() - heard_at);
}

function relative(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds <= 0 && seconds > -10) return words().justNow;
  if (Math.abs(seconds) < 10) return words().soon;
  if (Math.abs(seconds) < 60) return RELATIVE.format(Math.round(seconds / 10) * 10, 'second');
  const minutes = Math.round(seconds / 60);
  if (Math.abs(minutes) < 60) return RELATIVE.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48
    ? RELATIVE.format(hours, 'hour')
    : RELATIVE.format(Math.round(hours / 24), 'day');
}
