import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import dns from 'highlight.js/lib/languages/dns';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Token, Tokens } from 'marked';
import { iconSvg } from '../../core/look/icons.ts';
import { escapeHtml } from '../../core/text/markup.ts';

/** A group of code blocks: the same thing in several languages, or the responses by their status. */
export interface TabGroup extends Tokens.Generic {
  type: 'tabs';
  tabs: { label: string; block: Tokens.Code }[];
}

/**
 * Joins consecutive code blocks with `tab="…"` in their info strings into groups, also inside lists and quotes. Only blank lines may stand
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

/**
 * Renders a group of code blocks, which needs no script: a radio button in the header chooses the block.
 * @param id tells the groups of a page apart.
 */
export function renderTabs({ tabs }: TabGroup, id: number): string {
  const choices = tabs.map(({ label }, at) => {
    const name = escapeHtml(label);
    return `<label><input type="radio" name="tabs-${id}" value="${name}"${at === 0 ? ' checked' : ''}>${name}</label>`;
  });
  const kind = tabs.every(({ label }) => /^\d/.test(label)) ? 'Response' : 'Language';
  const blocks = tabs.map(({ block }) => codeOf(block.text, block.lang));
  return `<div class="code tabs" role="radiogroup" aria-label="${kind}">
<header><div>${choices.join('')}</div>${COPY_BUTTON}</header>
${blocks.join('\n')}
</div>
`;
}

/** Renders one code block. A single command has no header. @param label the header; if left out, the file or the language. */
export function renderCode(code: string, info: string | undefined, label?: string): string {
  const { language, file, isOutput } = readInfo(info);
  const isCommand = language === 'sh' && !code.includes('\n') && label === undefined;
  if (isCommand) return `<div class="code one">${codeOf(code, info)}${COPY_BUTTON}</div>\n`;
  const head = label ?? file ?? (isOutput ? 'Output' : (hljs.getLanguage(language)?.name ?? 'Text'));
  return `<div class="code"><header>${escapeHtml(head)}${COPY_BUTTON}</header>${codeOf(code, info)}</div>\n`;
}

/** With `tabindex`, keyboard users can scroll code that is too wide for the screen. */
function codeOf(code: string, info: string | undefined): string {
  return `<pre tabindex="0"><code>${highlight(code, readInfo(info).language)}\n</code></pre>`;
}

/** The page's script shows this button. */
export const COPY_BUTTON = `<button class="copy" type="button" hidden>${iconSvg('copy')}<span>Copy</span></button>`;

/** Reads the info string of a code block, such as `js tab="JavaScript"`. Ignores attributes for other programs that read the file. */
function readInfo(info = '') {
  const [, language = ''] = /^([\w-]*)/.exec(info) ?? [];
  const [, tab = null] = /(?:^|\s)tab="([^"]+)"/.exec(info) ?? [];
  const [, file = null] = /(?:^|\s)file=(\S+)/.exec(info) ?? [];
  return { language, tab, file, isOutput: /\soutput=/.test(info) };
}

const LANGUAGES = {
  ...{ bash, diff, dns, dockerfile, go, http, ini, javascript },
  ...{ json, nginx, php, python, ruby, typescript, xml, yaml },
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Returns code as HTML with highlighted syntax. If the language is not supported, the code is only escaped. */
export function highlight(code: string, language: string): string {
  return hljs.getLanguage(language) === undefined
    ? escapeHtml(code)
    : hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
