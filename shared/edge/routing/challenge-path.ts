import type { ChallengeSource } from '../../ports/certificates.ts';
import type { EdgeResponse } from '../edge-responses.ts';

const CHALLENGE_PATH = /^\/\.well-known\/acme-challenge\/(?<token>[A-Za-z0-9_-]{22,128})$/;

/**
 * Returns the token of an HTTP-01 challenge request (RFC 8555 section 8.3), or null for any other request. A token has at least 128 bits in
 * base64url.
 */
export function challengeToken(method: string, pathAndQuery: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  return CHALLENGE_PATH.exec(pathAndQuery)?.groups?.['token'] ?? null;
}

/**
 * Builds the response to an HTTP-01 challenge.
 * @returns null if none of our challenges has this token. The origin itself may have a challenge with this token.
 */
export async function challengeResponse(
  challenges: ChallengeSource,
  hostname: string,
  token: string,
  requestId: string,
): Promise<EdgeResponse | null> {
  const body = await challenges.findKeyAuthorization(hostname, token);
  if (body === null) return null;
  const headers = ['Content-Type', 'application/octet-stream', 'Cache-Control', 'no-store'];
  headers.push('X-Request-Id', requestId, 'Content-Length', String(Buffer.byteLength(body)));
  return { status: 200, headers, body };
}
