import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/**
 * Adds axe to every page of a context. Call this before the first page opens, because a page's content security policy would block axe
 * later.
 */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe.source });
}

/** Adds axe to a page that is already open. */
export async function addAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

/** The rules whose result depends on the colour scheme. The other rules run in only one scheme, which saves half of axe's work. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Scope {
  /** If true, checks only the rules that depend on colours. */
  coloursOnly?: boolean;
  /** If true, returns minor and moderate violations too. */
  everyImpact?: boolean;
}

/**
 * Returns the violations that axe finds on a page, one line each. By default, returns the serious and critical violations of every rule.
 */
export async function faults(
  page: Page,
  { coloursOnly = false, everyImpact = false }: Scope = {},
): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(coloursOnly && { runOnly: COLOUR_RULES }) };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => everyImpact || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
