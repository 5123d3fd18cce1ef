import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { TimeLabel } from '../times.tsx';
import { Link } from './link.tsx';

/** Number of extra rows above and below the visible ones, so that scrolling shows no gap. */
const SPARE = 12;
/** The height of a row until the browser has drawn one. */
const ROW_PX = 40;

export interface RowListInput<T> {
  label: string;
  /** The heads of the columns, in the order of the cells. A narrow list has no heads. */
  columns?: readonly string[];
  /** The rows by index; undefined for rows that are not loaded yet. */
  rows: readonly (T | undefined)[];
  total: number;
  idOf: (row: T) => string;
  hrefOf: (row: T) => string;
  draw: (row: T) => ReactNode;
  /** The id of the row whose detail is open. */
  openId: string | null;
  /** Called with the index of the last visible row. */
  onScroll?: (last: number) => void;
  /** True if more rows follow than `total`. */
  isOpenEnded?: boolean;
  /** Renders a control beside a row. @param isActive true if the row is in the tab order. */
  aside?: (row: T, isActive: boolean) => ReactNode;
}

/** The row that is in the tab order. */
interface Active {
  index: number;
  id: string | null;
}

/**
 * A list of any length that keeps only the visible rows in the document. Only the active row is in the tab order. Arrows, j and k, Home,
 * End and the page keys activate another row, and Enter opens a row.
 */
export function RowList<T>({
  label,
  columns = [],
  rows,
  total,
  idOf,
  hrefOf,
  draw,
  openId,
  onScroll,
  isOpenEnded = false,
  aside,
}: RowListInput<T>): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ top, height, rowPx }, setView] = useState({ top: 0, height: 800, rowPx: ROW_PX });
  const [active, setActive] = useState<Active>({ index: 0, id: null });
  /** The row that a key has activated, until it has the focus. */
  const toFocus = useRef<Active | null>(null);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    // Keeps the view while a detail hides the list.
    const read = () => element.clientHeight > 0 && setView(viewOf(element));
    const observer = new ResizeObserver(read);
    observer.observe(element);
    // Renders in the same frame as the scrolling. A later frame would show a gap.
    const follow = () => flushSync(read);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, []);

  const firstSeen = Math.floor(top / rowPx);
  const seen = Math.ceil(height / rowPx);
  const first = Math.max(0, firstSeen - SPARE);
  const lastSeen = firstSeen + seen;
  const last = Math.min(total, lastSeen + SPARE);
  // Finds the active row by its id, because newer rows may have moved it. If the active row is out of view, uses the topmost visible row.
  const found =
    active.id === null ? -1 : rows.findIndex((row) => row !== undefined && idOf(row) === active.id);
  const reached = found === -1 ? active.index : found;
  const at = reached >= first && reached < last ? reached : Math.min(firstSeen, Math.max(0, total - 1));
  useEffect(() => onScroll?.(lastSeen), [lastSeen, onScroll]);

  // Runs after each render, because the row may have appeared only now: by scrolling, or because its data has arrived.
  useEffect(() => {
    // React may run the effect of an earlier render after the key was pressed. In that render, another row is the active one.
    if (toFocus.current !== active) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-place="${at}"] a`);
    if (!row) return;
    toFocus.current = null;
    row.focus({ preventScroll: true });
  });

  function moveTo(index: number): void {
    const element = scroller.current;
    if (element === null || total === 0) return;
    // In an open-ended list, the rows after the known ones are placeholders.
    const reachable = isOpenEnded ? rows.length : total;
    const to = Math.max(0, Math.min(reachable - 1, index));
    const edge = to * rowPx;
    if (edge < element.scrollTop) element.scrollTop = edge;
    else if (edge + rowPx > element.scrollTop + element.clientHeight)
      element.scrollTop = edge + rowPx - element.clientHeight;
    const row = rows[to];
    toFocus.current = { index: to, id: row === undefined ? null : idOf(row) };
    setActive(toFocus.current);
    setView(viewOf(element));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(height / rowPx) - 1);
    const to = targetOf(event.key, at, page, total);
    if (to === null) return;
    event.preventDefault();
    moveTo(to);
  }

  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  return (
    <div className="table-of" data-columns={columns.length}>
      {columns.length === 0 ? null : (
        <div className="heads" aria-hidden="true">
          {columns.map((column) => (
            <span key={column}>{column}</span>
          ))}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the links inside */}
      <div className="rows" ref={scroller} onKeyDown={onKeyDown} data-rows="">
        {/* biome-ignore lint/a11y/useSemanticElements: most rows are not in the document, so aria attributes give their positions */}
        <div role="list" aria-label={label} style={{ height: `calc(var(--row-height) * ${total})` }}>
          {indexes.map((index) => {
            const row = rows[index];
            const key = row === undefined ? `place-${index}` : idOf(row);
            return (
              // biome-ignore lint/a11y/useSemanticElements: for the same reason as the list
              <div
                role="listitem"
                key={key}
                data-place={index}
                className={aside === undefined ? 'row-place' : 'row-place with-aside'}
                aria-setsize={isOpenEnded ? -1 : total}
                aria-posinset={index + 1}
                style={{ top: `calc(var(--row-height) * ${index})` }}
              >
                {row === undefined ? (
                  <span className="row loading" aria-hidden="true" />
                ) : (
                  <>
                    {aside?.(row, index === at)}
                    <Link
                      className="row"
                      href={hrefOf(row)}
                      tabIndex={index === at ? 0 : -1}
                      aria-current={idOf(row) === openId ? 'true' : undefined}
                      onFocus={() => setActive({ index, id: idOf(row) })}
                    >
                      {draw(row)}
                    </Link>
                  </>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The cells of a row: its name, its state and the reason, more about it, and its time. */
export function Cells(input: {
  name: ReactNode;
  state?: ReactNode;
  why?: ReactNode;
  more: ReactNode;
  /** The whole text of `more`, which may be cut off. */
  title?: string | undefined;
  at: string;
}): ReactElement {
  const { name, state, why, more, title, at } = input;
  return (
    <>
      <span className="row-main">{name}</span>
      <span className="row-state">{state}</span>
      {why === undefined ? null : <span className="row-why">{why}</span>}
      <span className="row-more" title={title}>
        {more}
      </span>
      <span className="row-time">
        <TimeLabel at={at} />
      </span>
    </>
  );
}

/** Returns what the scroller shows. The style sheet sets the height of a row, which depends on the width of the list. */
function viewOf(scroller: HTMLElement): { top: number; height: number; rowPx: number } {
  const rowPx = scroller.querySelector('[data-place]')?.getBoundingClientRect().height ?? ROW_PX;
  return { top: scroller.scrollTop, height: scroller.clientHeight, rowPx };
}

function targetOf(key: string, at: number, page: number, total: number): number | null {
  if (key === 'ArrowDown' || key === 'j') return at + 1;
  if (key === 'ArrowUp' || key === 'k') return at - 1;
  if (key === 'PageDown') return at + page;
  if (key === 'PageUp') return at - page;
  if (key === 'Home') return 0;
  return key === 'End' ? total - 1 : null;
}
