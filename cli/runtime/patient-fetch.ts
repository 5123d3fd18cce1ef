import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';

const QUIET_MS = 3_000;

/** `nodeFetch` that tells whoever waits what is waited for, once, when a server takes long. */
export function patientFetch(base_url: string, note: (text: string) => void): Fetch {
  let has_told = false;
  return async (url, init) => {
    const timer = setTimeout(() => {
      if (!has_told) note(`Still waiting for ${base_url}.`);
      has_told = true;
    }, QUIET_MS);
    try {
      return await nodeFetch(url, init);
    } finally {
      clearTimeout(timer);
    }
  };
}
