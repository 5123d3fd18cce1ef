import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';

const QUIET_MS = 3_000;

/** Returns `nodeFetch` with a note, once, when a response takes longer than three seconds. */
export function patientFetch(base_url: string, note: (text: string) => void): Fetch {
  let has_told = false;
  return async (url, init) => {
    const timer = setTimeout(() => {
      if (!has_told) note(`Still waiting for a response from ${base_url}.`);
      has_told = true;
    }, QUIET_MS);
    try {
      return await nodeFetch(url, init);
    } finally {
      clearTimeout(timer);
    }
  };
}
