/** What fits on the screen. */
export interface ScreenSize {
  columns: number;
  rows: number;
  /** True if the page of the selected row fits beside the list. */
  isWide: boolean;
  hasBorder: boolean;
  hasHints: boolean;
  /** Which columns the list of events has. */
  list: 'full' | 'words' | 'symbols' | 'short';
  /** The width of the page beside the list. */
  pageWidth: number;
}

const PAGE_SHARE = 0.4;

export function sizeOf(columns: number, rows: number): ScreenSize {
  const isWide = columns >= 120;
  return {
    columns,
    rows,
    isWide,
    hasBorder: columns >= 60 && rows >= 14,
    hasHints: rows >= 12,
    list: columns < 60 ? 'short' : columns < 100 ? 'symbols' : isWide && columns < 170 ? 'words' : 'full',
    pageWidth: isWide ? Math.floor(columns * PAGE_SHARE) : columns,
  };
}
