import { PAGE_HEADERS } from '../core/text/page.ts';

/** The headers of the edge's own pages: names and values, alternating. They forbid caching and framing. */
export const OWN_PAGE_HEADERS: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-store',
  ...Object.entries(PAGE_HEADERS).flat(),
];
