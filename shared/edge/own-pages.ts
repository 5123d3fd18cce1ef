import { PassThrough, Readable } from 'node:stream';
import { PAGE_HEADERS } from '../core/text/page.ts';
import { edgeFailure, type OnEdgeFailure } from './edge-failure.ts';
import type { RoutedRequest } from './request-dispatcher.ts';
import { headerValues } from './wire/raw-headers.ts';
import { authorityOf } from './wire/request-host.ts';

/**
 * Responds to requests at an app's white-label host (`decisions/0049`).
 * @param network the visitor's network.
 */
export type ServeHost = (request: Request, owner: HostOwner, network: string) => Promise<Response>;

/** The app whose white-label host was requested. */
export interface HostOwner {
  app_id: string;
  hostname: string;
}

interface OwnPagesOptions {
  scheme: 'http' | 'https';
  serveHost: ServeHost;
  onFailure?: OnEdgeFailure | undefined;
}

/**
 * Returns a function that passes a visitor's request to a handler of web `Request` objects, and sends the `Response` of that handler. The
 * function never rejects.
 */
export function createOwnPages({ scheme, serveHost, onFailure }: OwnPagesOptions) {
  return async ({ visitorRequest, request, route }: RoutedRequest): Promise<void> => {
    const body = new PassThrough();
    body.on('error', () => undefined);
    visitorRequest.onAborted(() => body.destroy(new Error('the visitor has left')));
    try {
      const { method, rawHeaders } = visitorRequest.wire.head;
      const url = `${scheme}://${authorityOf(request.host, request.host.hostname)}${request.pathAndQuery}`;
      const asked = new Request(url, {
        method,
        headers: [['host', new URL(url).host], ...passedHeaders(rawHeaders)],
        ...(method === 'POST' && { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' }),
      });
      if (method === 'POST') {
        if (visitorRequest.wire.expectsContinue) visitorRequest.wire.sendContinue();
        visitorRequest.wire.pipeBody(body);
      }
      await send(visitorRequest, await serveHost(asked, route, visitorRequest.visitor.network));
    } catch (error) {
      if (visitorRequest.finished) return;
      onFailure?.(edgeFailure(visitorRequest, 'page', error));
      visitorRequest.fail(503);
    } finally {
      body.destroy();
    }
  };
}

/**
 * The request headers that the pages need. Other headers are not passed on, in particular cookies, which belong to the app's own domain.
 */
const PASSED = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-length',
  'content-type',
  'origin',
  'sec-fetch-site',
] as const;

function passedHeaders(rawHeaders: readonly string[]): [string, string][] {
  return PASSED.flatMap((name) =>
    headerValues(rawHeaders, name).map((value) => [name, value] as [string, string]),
  );
}

async function send(visitorRequest: RoutedRequest['visitorRequest'], response: Response): Promise<void> {
  const body = response.body === null ? null : Buffer.from(await response.arrayBuffer());
  if (!visitorRequest.waiting) return;
  const headers = [...response.headers].flat();
  headers.push('X-Request-Id', visitorRequest.requestId);
  if (body !== null) headers.push('Content-Length', String(body.length));
  visitorRequest.begin(response.status, headers, 'edge');
  if (body !== null && visitorRequest.wire.head.method !== 'HEAD') visitorRequest.wire.sendData(body);
  visitorRequest.end();
}

/** The headers of the edge's own pages: names and values, alternating. They forbid caching and framing. */
export const OWN_PAGE_HEADERS: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-store',
  ...Object.entries(PAGE_HEADERS).flat(),
];
