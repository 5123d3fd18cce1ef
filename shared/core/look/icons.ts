/**
 * Our icons, on a grid of 16. A text is the path of a line. An icon with several paths can have `faint` and `dashed` lines too, and dots in
 * the colour of the text. The icon of a status has a `fill`, and a `cut` in the colour of the background.
 */
const DRAWINGS = {
  home: 'M2.5 7.2 8 2.8l5.5 4.4V13a.7.7 0 0 1-.7.7H9.7V9.8H6.3v3.9H3.2a.7.7 0 0 1-.7-.7z',
  domains: {
    line: 'M3.5 3.8h9a2.2 2.2 0 0 1 2.2 2.2v4a2.2 2.2 0 0 1-2.2 2.2h-9a2.2 2.2 0 0 1-2.2-2.2v-4a2.2 2.2 0 0 1 2.2-2.2zM6.2 8h3.6',
    dot: 'M3.1 8a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0zM11.3 8a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0z',
  },
  events: 'M8.8 1.8 3.4 9.2h4L7.2 14.2l5.4-7.4h-4z',
  webhook: 'M2.5 5.2h9.3M9.2 2.6l2.6 2.6-2.6 2.6M13.5 10.8H4.2M6.8 8.2l-2.6 2.6 2.6 2.6',
  key: 'M2.5 10.8a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0zM7.2 8.8 13.2 2.8M10.8 5.2l2 2',
  app: 'M2.3 5h6M12.2 5h1.5M2.3 11h1.5M7.7 11h6M8.4 5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0zM4 11a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z',
  plan: 'M3.4 3.4h9.2a1.6 1.6 0 0 1 1.6 1.6v6a1.6 1.6 0 0 1-1.6 1.6h-9.2a1.6 1.6 0 0 1-1.6-1.6v-6a1.6 1.6 0 0 1 1.6-1.6zM1.8 6.6h12.4',
  people:
    'M3.7 5.4a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0zM1.8 13c.4-2.4 2-3.6 4.2-3.6s3.8 1.2 4.2 3.6M10.6 3.4a2.2 2.2 0 0 1 0 4.1M12 9.8c1.3.5 2 1.6 2.2 3.2',
  log: 'M3.8 2h5.6L12.2 4.7V14H3.8zM6 7.2h4M6 9.6h4M6 12h2.4',
  person: 'M5.4 5.2a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0zM3 13.6c.5-2.7 2.4-4.1 5-4.1s4.5 1.4 5 4.1',
  flask: 'M6.2 2v4.2l-3.3 6.2a1.1 1.1 0 0 0 1 1.6h8.2a1.1 1.1 0 0 0 1-1.6L9.8 6.2V2M5 2h6M4.6 10h6.8',
  arrows: 'M4.5 13.5v-10M2 6l2.5-2.5L7 6M11.5 2.5v10M9 10l2.5 2.5L14 10',
  mail: 'M3.3 3.2h9.4a1.5 1.5 0 0 1 1.5 1.5v6.6a1.5 1.5 0 0 1-1.5 1.5h-9.4a1.5 1.5 0 0 1-1.5-1.5v-6.6a1.5 1.5 0 0 1 1.5-1.5zM2.2 4.4l5.8 4.4 5.8-4.4',
  warn: 'M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.5v.1',
  search: 'M2.6 7a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0zM10.4 10.4 14 14',
  plus: 'M8 3v10M3 8h10',
  copy: 'M7 5.6h5.2a1.4 1.4 0 0 1 1.4 1.4v5.2a1.4 1.4 0 0 1-1.4 1.4h-5.2a1.4 1.4 0 0 1-1.4-1.4v-5.2a1.4 1.4 0 0 1 1.4-1.4zM10.4 5.6V3.8A1.4 1.4 0 0 0 9 2.4H3.8a1.4 1.4 0 0 0-1.4 1.4V9a1.4 1.4 0 0 0 1.4 1.4h1.8',
  out: 'M6.5 3.2H3.6a1.2 1.2 0 0 0-1.2 1.2v8a1.2 1.2 0 0 0 1.2 1.2h8a1.2 1.2 0 0 0 1.2-1.2V9.5M9.5 2.4h4.1v4.1M13.4 2.6 7.6 8.4',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  x: 'm4 4 8 8M12 4l-8 8',
  more: {
    dot: 'M2.1 8a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0zM6.9 8a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0zM11.7 8a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0z',
  },
  retry: 'M13 8a5 5 0 1 1-1.5-3.6l1.5 1.4M13 2.6v3.2H9.8',
  next: 'M4 3.5 10 8l-6 4.5zM12.4 3.5v9',
  fast: 'M2.5 4 7 8l-4.5 4zM8.5 4 13 8l-4.5 4z',
  clock: 'M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0-11.6 0zM8 4.8V8l2.2 1.4',
  moon: 'M13 9.6A5.4 5.4 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  save: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10',
  go: 'M3 8h10M9 4l4 4-4 4',
  term: 'M3.3 2.8h9.4a1.5 1.5 0 0 1 1.5 1.5v7.4a1.5 1.5 0 0 1-1.5 1.5h-9.4a1.5 1.5 0 0 1-1.5-1.5v-7.4a1.5 1.5 0 0 1 1.5-1.5zM4.5 6l2 2-2 2M8 10.4h3.5',
  lock: 'M4.6 7h6.8a1.2 1.2 0 0 1 1.2 1.2v4a1.2 1.2 0 0 1-1.2 1.2h-6.8a1.2 1.2 0 0 1-1.2-1.2v-4a1.2 1.2 0 0 1 1.2-1.2zM5.4 7V5a2.6 2.6 0 0 1 5.2 0v2',
  help: 'M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0-11.6 0zM6.3 6.4a1.75 1.75 0 1 1 2.5 1.6c-.5.2-.8.6-.8 1.1v.2M8 11.3v.1',
  book: 'M2.5 3.2c2-.7 4-.5 5.5.6 1.5-1.1 3.5-1.3 5.5-.6v9.6c-2-.7-4-.5-5.5.6-1.5-1.1-3.5-1.3-5.5-.6zM8 3.8v9.6',
  info: 'M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0-11.6 0zM8 7.4v3.4M8 5.2v.1',
  link: 'M6.8 9.2a2.5 2.5 0 0 0 3.6.2l2.2-2.2a2.5 2.5 0 0 0-3.6-3.6L8.2 4.4M9.2 6.8a2.5 2.5 0 0 0-3.6-.2L3.4 8.8A2.5 2.5 0 0 0 7 12.4l.8-.8',
  out2: 'M5 11 11 5M6 5h5v5',
  's-active': { fill: 'M1.4 8a6.6 6.6 0 1 0 13.2 0a6.6 6.6 0 1 0-13.2 0z', cut: 'm5.1 8.2 2 2 3.8-4.2' },
  's-work': {
    faint: 'M2.4 8a5.6 5.6 0 1 0 11.2 0a5.6 5.6 0 1 0-11.2 0z',
    line: 'M8 2.4A5.6 5.6 0 0 1 13.6 8',
  },
  's-wait': 'M2.3 8a5.7 5.7 0 1 0 11.4 0a5.7 5.7 0 1 0-11.4 0zM8 4.9V8l2.1 1.3',
  's-broken': {
    fill: 'M1.4 8a6.6 6.6 0 1 0 13.2 0a6.6 6.6 0 1 0-13.2 0z',
    cut: 'm5.7 5.7 4.6 4.6M10.3 5.7l-4.6 4.6',
  },
  's-cert': {
    fill: 'M8 1.2 14 3.3v4.3c0 3.5-2.3 6-6 7.3-3.7-1.3-6-3.8-6-7.3V3.3z',
    cut: 'M8 4.8v3.6M8 11v.1',
  },
  's-expired': { dashed: 'M2.3 8a5.7 5.7 0 1 0 11.4 0a5.7 5.7 0 1 0-11.4 0z', line: 'M8 5.2V8' },
  's-held': { fill: 'M1.4 8a6.6 6.6 0 1 0 13.2 0a6.6 6.6 0 1 0-13.2 0z', cut: 'M6.3 5.6v4.8M9.7 5.6v4.8' },
  's-gone': 'M2.3 8a5.7 5.7 0 1 0 11.4 0a5.7 5.7 0 1 0-11.4 0zM5.4 8h5.2',
  's-none': 'M2.3 8a5.7 5.7 0 1 0 11.4 0a5.7 5.7 0 1 0-11.4 0z',
} as const satisfies Record<string, string | Partial<Record<PathKind, string>>>;

type PathKind = 'line' | 'faint' | 'dashed' | 'dot' | 'fill' | 'cut';
export type IconName = keyof typeof DRAWINGS;

/** Returns the paths of an icon. The style sheet draws each kind, by its class. */
export function iconPaths(name: IconName): { kind: PathKind; d: string }[] {
  const drawing: string | Partial<Record<PathKind, string>> = DRAWINGS[name];
  if (typeof drawing === 'string') return [{ kind: 'line', d: drawing }];
  return PATH_KINDS.flatMap((kind) => {
    const d = drawing[kind];
    return d === undefined ? [] : [{ kind, d }];
  });
}

/** In the order in which they are drawn. */
const PATH_KINDS = ['faint', 'dashed', 'line', 'dot', 'fill', 'cut'] as const;

/** Returns an icon as SVG for a page that is not made with React. */
export function iconSvg(name: IconName): string {
  const paths = iconPaths(name).map(({ kind, d }) => `<path class="${kind}" d="${d}"/>`);
  return `<svg class="i" viewBox="0 0 16 16" aria-hidden="true">${paths.join('')}</svg>`;
}
