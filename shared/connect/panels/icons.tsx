import type { ReactElement } from 'react';

/** The page's own icons, drawn inline so that nothing is loaded from elsewhere. Words always accompany them. */
const PATHS = {
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  progress: 'M21 12a9 9 0 1 1-6-8.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  warning: 'M12 8v5m0 3.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0',
  mail: 'M4 6h16v12H4zm0 1 8 6 8-6',
  pause: 'M9 6v12m6-12v12',
  chevron: 'm9 6 6 6-6 6',
  outside: 'M14 4h6v6m0-6-9 9M10 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  again: 'M20 5v5h-5M4 19v-5h5M19.5 10A8 8 0 0 0 6 6.5L4 9m.5 5A8 8 0 0 0 18 17.5l2-2.5',
  close: 'm6 6 12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'm20 20-4.5-4.5M17.5 10.5a7 7 0 1 1-14 0 7 7 0 0 1 14 0',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  globe: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  swap: 'M4 8h14m-4-4 4 4-4 4M20 16H6m4-4-4 4 4 4',
  next: 'M5 5v14l10-7zM19 5v14',
  home: 'M4 11.5 12 4l8 7.5M6 10v10h12V10M10 20v-6h4v6',
  key: 'M14.5 9.5a5 5 0 1 1-2.2-4.2 5 5 0 0 1 2.2 4.2M13 12l8 8m-3-3 2-2',
  people:
    'M12.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M2.5 20a6.5 6.5 0 0 1 13 0M16 5a3.5 3.5 0 0 1 0 6.5m2 3.5a6.5 6.5 0 0 1 3.5 5',
  card: 'M3 6h18v12H3zM3 10h18M7 15h3',
  log: 'M6 3h9l4 4v14H6zM9 9h6M9 13h6M9 17h4',
  sliders: 'M4 7h9m4 0h3M4 17h3m4 0h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0M11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0',
  person: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4 21a8 8 0 0 1 16 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4 20h16',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
