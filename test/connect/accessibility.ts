import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** Adds axe to every page of a context. Call it before the first page opens, so that the pages' content security policy does not apply. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe.source });
}

/** Returns the serious and critical violations that axe finds on a page, one line each. */
export async function faults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    "axe.run({ resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
