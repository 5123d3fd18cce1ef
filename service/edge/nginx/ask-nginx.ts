import { request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const TIMEOUT_MS = 5_000;

/** Sends a request to a running nginx over nginx's local socket. @returns the body. @throws if nginx does not respond with 200. */
export async function askNginx(folder: string, target: string, body?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = request({
    socketPath: path.join(folder, 'nginx.sock'),
    path: target,
    method: body === undefined ? 'GET' : 'POST',
    headers: { Host: 'nginx', ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  sent.on('error', reject);
  sent.on('response', (response) => {
    text(response).then((read) => {
      if (response.statusCode === 200) resolve(read.trimEnd());
      else reject(new Error(`nginx responded with ${response.statusCode} to ${target}`));
    }, reject);
  });
  sent.end(body);
  return promise;
}
