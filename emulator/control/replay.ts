import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { ServiceError } from '../../shared/core/errors.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { LocalCa } from '../edge/local-ca.ts';
import type { ReplayResponse } from '../lab/responses.ts';
import { type ControlAction, readAs } from './action.ts';
import { emptySchema } from './bodies.ts';
import { ControlError } from './control-error.ts';

/** The timeout of a replay. It is a little longer than the time that the edge waits for an origin. */
const RESPONSE_TIMEOUT_MS = 70_000;
const BODY_BYTES_MAX = 64 * 1024;

/** Sends a request that the edge has received to the edge again. The replay has no body, because the emulator does not store bodies. */
export const replay: ControlAction = async ({ emulator, urls, ca, param, body }): Promise<ReplayResponse> => {
  readAs(emptySchema, body);
  const seen = emulator.requests.list().find(({ request_id }) => request_id === param);
  if (seen === undefined) throw new ServiceError('not_found');
  if (seen.host === null) {
    throw new ControlError(409, 'cannot_replay', {
      message: 'This request has no Host header, so the emulator cannot tell where to send it.',
      fix: 'Send it with a tool such as curl.',
    });
  }
  return readResponse(await send({ edge_url: urls.edgeUrl, ca }, seen, seen.host));
};

function send(
  { edge_url, ca }: { edge_url: string; ca: LocalCa },
  { method, path, headers }: SeenRequest,
  host: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let sent: ClientRequest;
    const fail = (cause: unknown) => reject(cannotReplay(cause));
    try {
      const options = {
        method,
        path,
        agent: false,
        headers: ['Host', host, ...headers.filter(([name]) => !SET_PER_REQUEST.test(name)).flat()],
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      };
      sent = cameSecurely(headers)
        ? requestSecurely(edge_url.replace('http:', 'https:'), {
            ...options,
            ca: ca.certificate,
            servername: host,
          })
        : request(edge_url, options);
    } catch (error) {
      // Node's HTTP client refuses to send some requests that a visitor can send.
      return fail(error);
    }
    sent.on('response', resolve).on('error', fail).end();
  });
}

function cameSecurely(headers: SeenRequest['headers']): boolean {
  return headers.some(([name, value]) => name === 'X-Forwarded-Proto' && value === 'https');
}

/** Matches the headers that a replay does not copy, because the client or the edge sets them for each request. */
const SET_PER_REQUEST = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|cdn-loop)$/i;

async function readResponse(response: IncomingMessage): Promise<ReplayResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > BODY_BYTES_MAX) break;
    }
  } catch (error) {
    throw cannotReplay(error);
  }
  const raw = response.rawHeaders;
  return {
    status: response.statusCode ?? 0,
    headers: raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : [])),
    body: Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString('utf8'),
    body_cut: bytes > BODY_BYTES_MAX,
  };
}

function cannotReplay(cause: unknown): ControlError {
  return new ControlError(502, 'replay_failed', {
    message: `The edge did not respond: ${cause instanceof Error ? cause.message : 'unknown'}`,
    fix: 'Check that the origin is running, then try again.',
  });
}
