import { randomUUID } from 'node:crypto';
import {
  findPathToken,
  type PathKeys,
  PROBE_COOKIE,
  probeHeader,
  signReceipt,
} from '../../core/public-path/path-receipt.ts';
import type { ServiceNames } from '../../core/service-name.ts';
import type { Clock } from '../../ports/system.ts';
import type { EdgeResponse } from '../edge-responses.ts';
import { headerValues } from '../wire/raw-headers.ts';

/**
 * Responds to the probes of our workers with a signed receipt, on every port and for every hostname, to show that requests reach this edge
 * (`decisions/0042`).
 */
export interface PathReceipts {
  readonly keys: PathKeys;
  /** The clock that determines whether a probe's token has expired. */
  readonly clock: Clock;
  /** Returns the response to a probe; null for any other request. */
  respond(request: ReceiptRequest): EdgeResponse | null;
}

export interface ReceiptRequest {
  method: string;
  hostname: string;
  pathAndQuery: string;
  scheme: 'http' | 'https';
  rawHeaders: readonly string[];
  requestId: string;
}

export function pathReceipts(keys: PathKeys, names: ServiceNames, clock: Clock): PathReceipts {
  const headerName = probeHeader(names);
  return {
    keys,
    clock,
    respond({ method, hostname, pathAndQuery, scheme, rawHeaders, requestId }) {
      if (method !== 'GET') return null;
      const headers = headerValues(rawHeaders, headerName);
      const token = findPathToken(keys, clock.now(), [pathAndQuery, ...headers]);
      if (token === null) return null;
      const id = randomUUID();
      const body = signReceipt(keys, {
        token,
        id,
        host: hostname,
        path: pathAndQuery,
        scheme,
        cookie: headerValues(rawHeaders, 'cookie').some((value) =>
          value.includes(`${PROBE_COOKIE}=${token}`),
        ),
        header: headers.includes(token),
      });
      const length = String(Buffer.byteLength(body));
      const framing = ['X-Request-Id', requestId, 'Content-Length', length];
      return { status: 200, headers: [...receiptHeaders(headerName, id), ...framing], body };
    },
  };
}

/** Returns the headers of a receipt: names and values, alternating. @param id the id of the receipt. */
export function receiptHeaders(headerName: string, id: string): string[] {
  return [
    'Content-Type',
    'text/plain; charset=utf-8',
    // `no-transform` keeps a proxy from compressing the body.
    'Cache-Control',
    'no-store, no-transform',
    'Set-Cookie',
    `${PROBE_COOKIE}=${id}; Path=/; Max-Age=0; Secure; HttpOnly`,
    headerName,
    id,
  ];
}
