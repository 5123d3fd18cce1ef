import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** To be called before the first page of a context is opened: it gets past the policy of the pages that way. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe.source });
}

/** What axe finds serious or critical on a page, a line each. */
export async function faults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    "axe.run({ resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
