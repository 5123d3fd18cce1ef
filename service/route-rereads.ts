import type { AppId } from '../shared/core/ids.ts';

/** The routes that are to be read again: all of an app, or all that there are. */
export type RouteScope = AppId | 'all';

/** The next page to read. */
export interface RoutePage {
  scope: RouteScope;
  /** It begins after this hostname. */
  after: string;
}

/**
 * Scopes whose routes are being read again, a page at a time and in turn, so that a large one delays no small one. A scope that changes
 * while it is read is not begun again: it is read to its end, and then from its start to the place where the change was heard. So an app
 * that changes all the time is still read whole.
 */
export class RouteRereads {
  readonly #places = new Map<RouteScope, Place>();

  /** All of it is to be read from now on. */
  add(scope: RouteScope): void {
    const after = this.#places.get(scope)?.after ?? '';
    this.#places.set(scope, { after, wrapsTo: after === '' ? null : after, hasWrapped: false });
  }

  next(): RoutePage | null {
    const [first] = this.#places;
    return first === undefined ? null : { scope: first[0], after: first[1].after };
  }

  /**
   * The page has been read.
   * @param last its last hostname; null where it was the last page.
   * @returns whether the scope has been read whole.
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
    // The last in turn now.
    this.#places.set(scope, { ...place, after: last });
    return false;
  }
}

interface Place {
  after: string;
  /** After its end it goes on from the start to here. */
  wrapsTo: string | null;
  hasWrapped: boolean;
}
