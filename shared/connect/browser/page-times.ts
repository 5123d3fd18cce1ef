import { words } from './announce.ts';
import { pulse } from './pulse.ts';
import { writeTimes } from './times.ts';

/** Shows the times of the connect page. The reader's clock may be wrong, so it only measures the time since the latest response. */
export function showTimes(): void {
  const { now, heard_at } = pulse();
  writeTimes(document, now + Date.now() - heard_at, document.documentElement.lang, words());
}
