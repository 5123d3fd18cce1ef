import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';

const QUIET_MS = 3_000;

/** Returns a `fetch` that calls `note` once, when a response has taken longer than three seconds. */
export function patientFetch(baseUrl: string, note: (text: string) => void): Fetch {
  let hasTold = false;
  return async (url, init) => {
    const timer = setTimeout(() => {
      if (!hasTold) note(`Still waiting for a response from ${baseUrl}.`);
      hasTold = true;
    }, QUIET_MS);
    try {
      return await nodeFetch(url, init);
    } finally {
      clearTimeout(timer);
    }
  };
}
