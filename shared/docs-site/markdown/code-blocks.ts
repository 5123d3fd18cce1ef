import type { Token, Tokens } from 'marked';
import { escapeHtml } from '../../core/text/markup.ts';
import { highlight } from './highlight.ts';

/** Code blocks that show the same thing in several languages. */
export interface TabGroup extends Tokens.Generic {
  type: 'tabs';
  tabs: { label: string; block: Tokens.Code }[];
}

/**
 * Joins consecutive code blocks whose info strings have `tab="…"` into groups, also inside lists and quotes. Only blank lines may stand
 * between the blocks of a group.
 */
export function groupTabs(tokens: Token[]): Token[] {
  const grouped: Token[] = [];
  let group: TabGroup | null = null;
  for (const token of tokens) {
    const label = token.type === 'code' ? readInfo((token as Tokens.Code).lang).tab : null;
    if (label !== null) {
      if (group === null) {
        group = { type: 'tabs', raw: '', tabs: [] };
        grouped.push(group);
      }
      group.tabs.push({ label, block: token as Tokens.Code });
      continue;
    }
    if (token.type !== 'space') group = null;
    if (token.type === 'list') {
      for (const item of (token as Tokens.List).items) item.tokens = groupTabs(item.tokens);
    }
    if (token.type === 'blockquote') token.tokens = groupTabs(token.tokens ?? []);
    grouped.push(token);
  }
  return grouped;
}

/** Renders a group. Without the script, its blocks stand one after another, each below its label. */
export function renderTabs({ tabs }: TabGroup): string {
  const parts = tabs.map(
    ({ label, block }) =>
      `<div class="tab"><p class="tab-label">${escapeHtml(label)}</p>\n${renderCode(block.text, block.lang)}</div>\n`,
  );
  return `<div class="tabs">\n${parts.join('')}</div>\n`;
}

/** Renders one block. With `tabindex`, the keyboard can scroll code that is too wide for a phone. */
export function renderCode(code: string, info: string | undefined): string {
  return `<div class="code"><pre tabindex="0"><code>${highlight(code, readInfo(info).language)}\n</code></pre></div>\n`;
}

/** Reads an info string such as `js tab="JavaScript"`. Attributes for other readers of the file are ignored. */
function readInfo(info = ''): { language: string; tab: string | null } {
  const [, language = ''] = /^([\w-]*)/.exec(info) ?? [];
  const [, tab = null] = /(?:^|\s)tab="([^"]+)"/.exec(info) ?? [];
  return { language, tab };
}
