import type { AppId } from '../../shared/core/ids.ts';

/** The routes to read again: the routes of one app, or all routes. */
export type RouteScope = AppId | 'all';

/** The next page to read. */
export interface RoutePage {
  scope: RouteScope;
  /** The page begins after this hostname. */
  after: string;
}

/**
 * The queue of scopes to read again. The scopes are read in turn, one page at a time, so that a large app does not delay a small app. If a
 * scope changes while it is read, the read continues to the end, then from the start to the place where the change arrived. A scope is thus
 * read completely even if it changes all the time.
 */
export class RouteRereads {
  readonly #positions = new Map<RouteScope, ReadPosition>();

  /** Adds a scope to read completely. If it is being read already, the pages before its current position are read once more. */
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
   * @returns true if the scope has been read completely.
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
  /** The hostname at which the read stops after it has started again from the beginning. Null if the read began at the beginning. */
  wrapsTo: string | null;
  hasWrapped: boolean;
}
