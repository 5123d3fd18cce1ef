import { createHash } from 'node:crypto';
import { COLOURS, type ColourName, PLAIN_FONTS, PLAIN_MONO } from '../look/tokens.ts';
import { html, Markup } from './markup.ts';

/**
 * Renders a complete HTML page of the edge, with one inline style and without a script. It uses the design tokens of the service. It does
 * not name the service, because visitors of an app's domains see it. It works on phones, and in light and dark mode.
 */
export function page({ title, main }: { title: string; main: Markup }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>${main}</main>
</body>
</html>
`.text;
}

const shades = (name: ColourName) => `light-dark(${COLOURS[name].join(', ')})`;

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 ${PLAIN_FONTS}; color: ${shades('text')}; background: ${shades('ground')}; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.75rem; font-weight: 660; line-height: 1.15; }
code { padding: .1em .3em; border-radius: .25rem; background: ${shades('soft')}; font: .9em ${PLAIN_MONO}; }
small { color: ${shades('muted')}; font-size: .8125rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid ${shades('line')}; text-align: left; vertical-align: top; }
th { font-weight: 560; white-space: nowrap; }
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
