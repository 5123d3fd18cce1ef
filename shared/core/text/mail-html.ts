import { escapeHtml } from './markup.ts';

/** A line that contains only a URL. A URL inside a sentence is not linked, because it may be part of an app's name. */
const URL_LINE = /^https?:\/\/[^\s<>"]+$/;

/**
 * Renders the HTML part of a mail from its text. Escapes everything, links only URLs that have a line of their own, and loads nothing.
 * Paragraphs are separated by empty lines.
 * @param language BCP 47.
 */
export function mailHtml(text: string, language = 'en'): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(lineHtml).join('<br>')}</p>`);
  return `<!doctype html><html lang="${escapeHtml(language)}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body style="${BODY}">${paragraphs.join('')}</body></html>`;
}

const BODY = 'max-width:36rem;margin:0 auto;padding:1rem;font:16px/1.5 system-ui,sans-serif';

function lineHtml(line: string): string {
  const escaped = escapeHtml(line);
  return URL_LINE.test(line) ? `<a href="${escaped}">${escaped}</a>` : escaped;
}
