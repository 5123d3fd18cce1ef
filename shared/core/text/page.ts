import { createHash } from 'node:crypto';
import { COLOURS, type ColourName } from '../look/tokens.ts';
import { html, Markup } from './markup.ts';

/** Renders a complete HTML page with one inline style and no script. The page works on phones, and in light and dark mode. */
export function page(input: {
  title: string;
  /** Links to other pages. Without them, the page has no navigation. */
  nav?: readonly { href: string; label: string }[];
  main: Markup;
}): string {
  const links = (input.nav ?? []).map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${input.title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${links.length === 0 ? '' : html`<header><nav aria-label="Documentation"><ul>${links}</ul></nav></header>`}
<main id="main" tabindex="-1">${input.main}</main>
</body>
</html>
`.text;
}

const shades = (name: ColourName) => `light-dark(${COLOURS[name].join(', ')})`;

const STYLE = `
:root { color-scheme: light dark; --line: ${shades('line')}; --soft: ${shades('soft')}; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: ${shades('text')}; background: ${shades('card')}; }
a { color: ${shades('accent')}; }
a:focus-visible, pre:focus-visible, .scroll:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; padding: .25rem .5rem; background: var(--soft); }
header { border-bottom: 1px solid var(--line); }
header ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: .75rem 0; list-style: none; }
header nav, main { max-width: 46rem; margin: 0 auto; padding: 0 1rem; }
main { padding-bottom: 4rem; overflow-wrap: break-word; }
main:focus { outline: none; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .75rem; }
code { font: .9em/1.5 ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: .2rem; }
pre { overflow-x: auto; padding: .75rem 1rem; background: var(--soft); border-radius: .3rem; }
pre code { padding: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td code { overflow-wrap: normal; }
.machine { margin: 1rem 0; }
.machine svg { display: block; width: 100%; margin-bottom: 1rem; }
.machine svg.wide { margin-top: 2.5rem; overflow: visible; }
.machine rect { fill: var(--soft); stroke: var(--line); }
.machine path { fill: none; stroke: currentColor; stroke-width: 1.5; }
.machine polygon, .machine text { fill: currentColor; }
.machine text { font: 14px system-ui, sans-serif; text-anchor: middle; }
.machine .caption { font-size: 13px; font-style: italic; }
.machine .caption.wide { text-anchor: end; }
.machine .narrow { display: none; }
@media (max-width: 40rem) { .machine svg.wide { display: none; } .machine .narrow { display: block; max-width: 26rem; } }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
`;

/** Response headers of a page. They allow only the page's inline style, by hash, and forbid scripts, frames, forms and other sources. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
