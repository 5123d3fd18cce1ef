import type { AppId } from '../../shared/core/ids.ts';

/** Routes to read again: those of one app, or all routes. */
export type RouteScope = AppId | 'all';

/** The next page to read. */
export interface RoutePage {
  scope: RouteScope;
  /** The page begins after this hostname. */
  after: string;
}

/**
 * Scopes to read again, one page at a time and in turn, so that a large app does not delay a small one. If a scope changes while it is
 * read, the read continues to the end, then wraps to the start and stops where the change arrived. So a scope is read in full even if it
 * changes all the time.
 */
export class RouteRereads {
  readonly #positions = new Map<RouteScope, ReadPosition>();

  /** Adds a scope, which is read in full from now on. */
  add(scope: RouteScope): void {
    const after = this.#positions.get(scope)?.after ?? '';
    this.#positions.set(scope, { after, wrapsTo: after === '' ? null : after, hasWrapped: false });
  }

  next(): RoutePage | null {
    const [first] = this.#positions;
    return first === undefined ? null : { scope: first[0], after: first[1].after };
  }

  /**
   * Records that a page of the scope was read.
   * @param last the page's last hostname; null after the last page.
   * @returns whether the scope has been read in full.
   */
  pass(scope: RouteScope, last: string | null): boolean {
    const position = this.#positions.get(scope);
    if (position === undefined) return true;
    this.#positions.delete(scope);
    const { wrapsTo, hasWrapped } = position;
    if (last === null) {
      if (wrapsTo === null || hasWrapped) return true;
      this.#positions.set(scope, { after: '', wrapsTo, hasWrapped: true });
      return false;
    }
    if (hasWrapped && wrapsTo !== null && last >= wrapsTo) return true;
    // Moves to the end of the queue.
    this.#positions.set(scope, { ...position, after: last });
    return false;
  }
}

interface ReadPosition {
  after: string;
  /** Hostname at which to stop after wrapping to the start. Null if the read began at the start. */
  wrapsTo: string | null;
  hasWrapped: boolean;
}
