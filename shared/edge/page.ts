import { createHash } from 'node:crypto';

/** A small page of the edge's own. Everything given is escaped; `body_html` is the caller's markup. */
export function page({ title, body_html }: { title: string; body_html: string }): string {
  const name = escapeHtml(title);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title><style>${STYLE}</style></head>
<body><main><h1>${name}</h1>
${body_html}
</main></body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:10vh 1.5rem}' +
  'main{max-width:44rem;margin:auto}h1{font-size:1.5rem}code,td,th{overflow-wrap:anywhere}' +
  'table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}' +
  'small{color:GrayText}';

/** For whatever the edge itself says: it names no resource but its own style, and no other page may frame it. */
export const PAGE_HEADERS: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cache-Control',
  'no-store',
];
