import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { ServiceError } from '../../shared/core/errors.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { LocalCa } from '../edge/local-ca.ts';
import type { ReplayAnswer } from '../inspector/answers.ts';
import { type ControlAction, readAs } from './action.ts';
import { emptySchema } from './bodies.ts';
import { ControlError } from './control-error.ts';

/** An origin that hangs is not waited for longer than the edge does. */
const ANSWER_MS_MAX = 70_000;
const BODY_BYTES_MAX = 64 * 1024;

/** Sends a request that the edge saw through it once more, as the visitor did; without its body, which is not kept. */
export const replay: ControlAction = async ({ emulator, urls, ca, param, body }): Promise<ReplayAnswer> => {
  readAs(emptySchema, body);
  const seen = emulator.requests.list().find(({ request_id }) => request_id === param);
  if (seen === undefined) throw new ServiceError('not_found');
  if (seen.host === null) {
    throw new ControlError(409, 'cannot_replay', {
      message: 'This request named no host, so there is nowhere to send it.',
      fix: 'Send it by hand.',
    });
  }
  return readAnswer(await send({ edge_url: urls.edge_url, ca }, seen, seen.host));
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
        headers: ['Host', host, ...headers.filter(([name]) => !MADE_ANEW.test(name)).flat()],
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      };
      sent = cameSecurely(headers)
        ? requestSecurely(edge_url.replace('http:', 'https:'), {
            ...options,
            ca: ca.certificate,
            servername: host,
          })
        : request(edge_url, options);
    } catch (error) {
      // What a visitor may send and Node's own client may not.
      return fail(error);
    }
    sent.on('response', resolve).on('error', fail).end();
  });
}

function cameSecurely(headers: SeenRequest['headers']): boolean {
  return headers.some(([name, value]) => name === 'X-Forwarded-Proto' && value === 'https');
}

/** What a client or the edge makes for each request anew. */
const MADE_ANEW = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|cdn-loop)$/i;

async function readAnswer(answer: IncomingMessage): Promise<ReplayAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > BODY_BYTES_MAX) break;
    }
  } catch (error) {
    throw cannotReplay(error);
  }
  const raw = answer.rawHeaders;
  return {
    status: answer.statusCode ?? 0,
    headers: raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : [])),
    body: Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString('utf8'),
    body_cut: bytes > BODY_BYTES_MAX,
  };
}

function cannotReplay(cause: unknown): ControlError {
  return new ControlError(502, 'replay_failed', {
    message: `There was no answer: ${cause instanceof Error ? cause.message : 'unknown'}`,
    fix: 'See that the origin runs, then try again.',
  });
}
