import type { Fetch } from '../../shared/client/request.ts';
import { plainText } from '../output/plain-text.ts';

/** Returns a `fetch` that notes each request and its response. Leaves out headers and bodies, which contain keys and secrets. */
export function loggedFetch(fetch: Fetch, note: (text: string) => void, elapsedMs: () => number): Fetch {
  return async (url, init) => {
    const startedMs = elapsedMs();
    const log = (outcome: string) =>
      note(plainText(`${init.method} ${url} ${outcome} after ${Math.round(elapsedMs() - startedMs)} ms`));
    try {
      const response = await fetch(url, init);
      const id = response.headers.get('x-request-id');
      log(`${response.status}${id === null ? '' : ` ${id}`}`);
      return response;
    } catch (error) {
      log('no response');
      throw error;
    }
  };
}
