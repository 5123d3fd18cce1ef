import type { ScriptWords, TimeSentence } from '../../connect/content/connect-content.ts';
import { element } from './element.ts';

/** Draws a sentence with the placeholder `{time}`, into which `fillTimes` writes the time. */
export function timeSentence({ text, at }: TimeSentence): HTMLElement {
  const [before = '', after = ''] = text.split('{time}');
  return element(
    'p',
    { class: 'muted' },
    before,
    at === null ? null : element('time', { datetime: at }),
    after,
  );
}

const DAY_S = 86_400;
/** A time that is further away than this is shown as a date. */
const RELATIVE_S_MAX = 2 * DAY_S;

/** Writes the text of every time, in the visitor's language. @param now the server's time in milliseconds. */
export function fillTimes(root: ParentNode, now: number, language: string, words: ScriptWords): void {
  for (const time of root.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    const local = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
    const text = relative(Math.round((at.getTime() - now) / 1000), language, words) ?? local;
    // Writes only texts that have changed, so that a selection of the visitor survives.
    if (time.textContent !== text) time.textContent = text;
    time.title = local;
  }
}

/** Returns a text relative to now, such as "2 minutes ago". Null for a time that is too far away. */
function relative(seconds: number, language: string, words: ScriptWords): string | null {
  const distance = Math.abs(seconds);
  if (distance > RELATIVE_S_MAX) return null;
  if (distance < 10) return seconds <= 0 ? words.just_now : words.soon;
  const [unit, size, step] =
    distance < 60
      ? (['second', 1, 10] as const)
      : distance < 3600
        ? (['minute', 60, 1] as const)
        : (['hour', 3600, 1] as const);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(Math.round(seconds / size / step) * step, unit);
}
