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
 * Scopes to read again, one page at a time and in turn, so that a large app delays no small one. If a scope changes during its read, it
 * finishes and then continues from its start to the place where the change was heard. So it is read in full even if the app changes
 * all the time.
 */
export class RouteRereads {
  readonly #places = new Map<RouteScope, Place>();

  /** Adds a scope that is to be read in full from now on. */
  add(scope: RouteScope): void {
    const after = this.#places.get(scope)?.after ?? '';
    this.#places.set(scope, { after, wrapsTo: after === '' ? null : after, hasWrapped: false });
  }

  next(): RoutePage | null {
    const [first] = this.#places;
    return first === undefined ? null : { scope: first[0], after: first[1].after };
  }

  /**
   * Notes that the page was read.
   * @param last the page's last hostname; null after the last page.
   * @returns whether the scope has been read in full.
   */
  pass(scope: RouteScope, last: string | null): boolean {
    const place = this.#places.get(scope);
    if (place === undefined) return true;
    this.#places.delete(scope);
    const { wrapsTo, hasWrapped } = place;
    if (last === null) {
      if (wrapsTo === null || hasWrapped) return true;
      this.#places.set(scope, { after: '', wrapsTo, hasWrapped: true });
      return false;
    }
    if (hasWrapped && wrapsTo !== null && last >= wrapsTo) return true;
    // Moves to the end of the queue.
    this.#places.set(scope, { ...place, after: last });
    return false;
  }
}

interface Place {
  after: string;
  /** Hostname to stop at after a restart from the beginning. */
  wrapsTo: string | null;
  hasWrapped: boolean;
}
