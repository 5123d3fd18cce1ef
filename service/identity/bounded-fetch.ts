import { isBodiless, readBounded } from '../../shared/adapters/bounded-body.ts';

/** Limits of one request to the identity provider. */
interface FetchLimits {
  timeoutMs: number;
  /** Maximum length of a response in bytes. A discovery document has a few thousand bytes. */
  maxBytes: number;
}

interface FetchInit {
  method: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the types of fetch bodies differ between the library and Node
  body?: any;
  redirect: 'manual';
  signal?: AbortSignal;
}

/**
 * Creates a `fetch` that does not follow redirects, and limits the time and the size of a response.
 * @returns a function that throws TypeError if the server cannot be reached or sends too much, and a DOMException after the timeout.
 */
export function createBoundedFetch({ timeoutMs, maxBytes }: FetchLimits) {
  return async (url: string, init: FetchInit): Promise<Response> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal === undefined ? timeout : AbortSignal.any([timeout, init.signal]);
    const response = await fetch(url, { ...init, signal, redirect: 'manual' });
    // Reads the whole body, so that the timeout also applies to it.
    const body = await readBounded(response.body, maxBytes);
    if (body === null) throw new TypeError(`the response has more than ${maxBytes} bytes`);
    const { status, headers } = response;
    return new Response(isBodiless(status) ? null : body, { status, headers });
  };
}
