import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Report {
  finalDisplayedUrl: string;
  categories: Record<
    string,
    { score: number | null; auditRefs: { id: string; weight: number; group?: string }[] }
  >;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

export interface Audit {
  /** The scores by category, from 0 to 100. */
  scores: Record<string, number>;
  /** The browser's times, as text. */
  metrics: string[];
  /** The failed audits of all categories except performance. */
  faults: string[];
}

/**
 * Runs Lighthouse on a page with its default settings: a phone with a slow network and a slow processor.
 * @param folder where Lighthouse is installed.
 * @param port the debugging port of the browser.
 * @param skipped the audits that do not count.
 * @throws Error if the browser shows another page, such as the sign-in.
 */
export async function auditPage(
  folder: string,
  url: string,
  port: number,
  skipped: readonly string[],
): Promise<Audit> {
  const args = [
    path.join(folder, 'node_modules/lighthouse/cli/index.js'),
    url,
    `--port=${port}`,
    '--output=json',
    '--quiet',
    '--disable-storage-reset',
    '--no-enable-error-reporting',
    `--only-categories=${CATEGORIES.join(',')}`,
    ...skipped.map((audit) => `--skip-audits=${audit}`),
  ];
  const { finalDisplayedUrl, categories, audits } = await run(args);
  if (finalDisplayedUrl !== url) throw new Error(`${url} shows ${finalDisplayedUrl}`);
  const scores: Audit['scores'] = {};
  const faults: string[] = [];
  const metrics: string[] = [];
  for (const [category, { score, auditRefs }] of Object.entries(categories)) {
    scores[category] = Math.round((score ?? 0) * 100);
    for (const { id, weight, group } of auditRefs) {
      const { title = '', score: found = null, displayValue = '' } = audits[id] ?? {};
      if (group === 'metrics') metrics.push(`${title} ${displayValue.replaceAll('\u00a0', ' ')}`);
      else if (category !== 'performance' && weight > 0 && found !== null && found < 1)
        faults.push(`${category}: ${id}: ${title}`);
    }
  }
  return { scores, metrics, faults };
}

const ATTEMPTS_MAX = 3;

/** Runs Lighthouse again if it fails, because it sometimes misses the beginning of the navigation (NO_NAVSTART). */
async function run(args: readonly string[], attempt = 1): Promise<Report> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      maxBuffer: 64 * 1024 * 1024,
      timeout: 180_000,
    });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    if (attempt < ATTEMPTS_MAX) return run(args, attempt + 1);
    throw new Error(`Lighthouse failed: ${(error as { stderr?: string }).stderr ?? error}`);
  }
}
