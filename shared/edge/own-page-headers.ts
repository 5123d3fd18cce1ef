import { PAGE_HEADERS } from '../core/text/page.ts';

/** What the edge's own pages are sent with, names and values by turns: nobody keeps them, and no other page may frame them. */
export const OWN_PAGE_HEADERS: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-store',
  ...Object.entries(PAGE_HEADERS).flat(),
];
