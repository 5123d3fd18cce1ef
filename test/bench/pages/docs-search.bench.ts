import { startEmulator } from '../../../emulator/start.ts';
import { launchChromium } from '../../connect/chromium.ts';
import { openSearch, SEARCH_QUERIES, searchMs } from '../../http/search-times.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';

const ROUNDS = 5;
const ANSWER_MS_MAX = 50;
/** A query without results. Its time is the overhead of the worker and the page. */
const NOTHING = 'xqzxqzxqz';

/** Measures how soon the search of the documentation shows its results in Chromium, without a network. */
export async function docsSearch(): Promise<BenchRow[]> {
  const browser = await launchChromium();
  if (browser === null) return [];
  const emulator = await startEmulator();
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await openSearch(page, emulator.url);
    await context.setOffline(true);
    const found: number[] = [];
    const nothing: number[] = [];
    for (const query of SEARCH_QUERIES) {
      const times = await interleave(ROUNDS, {
        found: () => searchMs(page, query),
        nothing: () => searchMs(page, NOTHING),
      });
      found.push(median(times.found));
      nothing.push(median(times.nothing));
    }
    return [
      row('docs search, median query', median(found), median(nothing)),
      row('docs search, slowest query', Math.max(...found), median(nothing)),
    ];
  } finally {
    await browser.close();
    await emulator.close();
  }
}

function row(name: string, value: number, floor: number): BenchRow {
  const target = { text: `${ANSWER_MS_MAX} ms`, isMet: value <= ANSWER_MS_MAX };
  return { name, unit: 'ms', value, floor, target };
}
