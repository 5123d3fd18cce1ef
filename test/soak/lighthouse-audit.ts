import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

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
  scores: Record<string, number | null>;
  /** The browser's times, as text. */
  metrics: string[];
  /** The failed audits of all categories except performance. */
  faults: string[];
  shownUrl: string;
}

/**
 * Runs Lighthouse on a page, with the settings for a desktop.
 * @param folder where Lighthouse is installed.
 * @param port the debugging port of the browser.
 */
export async function auditPage(
  folder: string,
  url: string,
  port: number,
  categories: readonly string[],
): Promise<Audit> {
  const args = [
    path.join(folder, 'node_modules/lighthouse/cli/index.js'),
    url,
    `--port=${port}`,
    '--preset=desktop',
    '--output=json',
    '--quiet',
    '--disable-storage-reset',
    '--no-enable-error-reporting',
    `--only-categories=${categories.join(',')}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: 64 * 1024 * 1024,
    timeout: 180_000,
  });
  const report = JSON.parse(stdout) as Report;
  const scores: Audit['scores'] = {};
  const faults: string[] = [];
  const metrics: string[] = [];
  for (const [id, { score, auditRefs }] of Object.entries(report.categories)) {
    scores[id] = score === null ? null : Math.round(score * 100);
    if (id === 'performance') {
      for (const { id: audited, group } of auditRefs) {
        const { title = '', displayValue = '' } = report.audits[audited] ?? {};
        if (group === 'metrics') metrics.push(`${title} ${displayValue.replaceAll('\u00a0', ' ')}`);
      }
      continue;
    }
    for (const { id: audited, weight } of auditRefs) {
      const { score: found = null, title = '' } = report.audits[audited] ?? {};
      if (weight > 0 && found !== null && found < 1) faults.push(`${id}: ${audited}: ${title}`);
    }
  }
  return { scores, metrics, faults, shownUrl: report.finalDisplayedUrl };
}
