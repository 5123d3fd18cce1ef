import type { Instant } from '../instant.ts';

/** A request that has ended, for the access log of the edge (`decisions/0060`). */
export interface AccessEntry {
  endedAt: Instant;
  durationMs: number;
  method: string;
  scheme: 'http' | 'https';
  /** The hostname that the request was for; null if it had no readable Host. */
  host: string | null;
  /** Path and query, as the visitor sent them. */
  target: string;
  /** Null if the visitor left before a response. */
  status: number | null;
  /** Null for a WebSocket. */
  bodyBytes: number | null;
  /** The sender of the response; null if the visitor got none. */
  responder: Responder | null;
  httpVersion: string;
  address: string;
  userAgent: string | null;
  domainId: string | null;
  /** The `X-Request-Id` of a response by the edge. Origins send their own. */
  requestId: string | null;
}

export type Responder = 'edge' | 'origin';

/** Returns an entry as one line of JSON. Its fields have the names of OpenTelemetry's semantic conventions where those have one. */
export function accessLine(entry: AccessEntry, { query: withQuery }: { query: boolean }): string {
  const isOwn = entry.responder !== 'origin';
  const target = redacted(entry.target, isOwn ? [OWN_PAGES, ...REDACTIONS] : REDACTIONS);
  const at = target.indexOf('?');
  const path = at === -1 ? target : target.slice(0, at);
  return JSON.stringify({
    timestamp: new Date(entry.endedAt).toISOString(),
    'http.request.method': bounded(entry.method, CHARS_MAX.method),
    'url.scheme': entry.scheme,
    'server.address': entry.host ?? undefined,
    'url.path': bounded(path, CHARS_MAX.path),
    'url.query': withQuery && at !== -1 ? bounded(target.slice(at + 1), CHARS_MAX.query) : undefined,
    'http.response.status_code': entry.status ?? undefined,
    'http.response.body.size': entry.bodyBytes ?? undefined,
    'http.server.request.duration': Math.round(entry.durationMs) / 1000,
    'network.protocol.version': entry.httpVersion.replace(/\.0$/, (zero) =>
      entry.httpVersion === '1.0' ? zero : '',
    ),
    'client.address': entry.address,
    'user_agent.original':
      entry.userAgent === null
        ? undefined
        : bounded(redacted(entry.userAgent, REDACTIONS), CHARS_MAX.userAgent),
    'nameplate.domain.id': entry.domainId ?? undefined,
    'nameplate.request.id': entry.requestId ?? undefined,
    'nameplate.responder': entry.responder ?? undefined,
  });
}

/** Longer texts of a visitor are cut. The lines then stay below the 8 KiB that syslog servers accept. */
export const CHARS_MAX = { method: 32, path: 1024, query: 1024, userAgent: 256 } as const;

/** A replacement, in the syntax that JavaScript and PCRE share: both engines of the edge apply it. */
export interface Redaction {
  pattern: string;
  replacement: string;
}

/** A request to a proxy names a scheme and a host before its path. The edge refuses it, and logs it. */
const ORIGIN = '(?:[A-Za-z][\\w+.-]*://[^/?]*)?';

/** Our own secrets, wherever they stand. */
export const REDACTIONS: readonly Redaction[] = [
  // Tokens of HTTP-01 challenges and of our probes are in the paths of RFC 8615.
  { pattern: `^(${ORIGIN}/\\.well-known/[^/?]+/)[^?]+`, replacement: '$1[redacted]' },
  // A probe of a public path has a token of 38 characters, on any path.
  { pattern: '(?<![\\w-])[\\w-]{38}(?![\\w-])', replacement: '[redacted]' },
  { pattern: '(whsec_|sk_live_|sk_test_)[\\w+/=-]+', replacement: '$1[redacted]' },
];

/** The token in the address of a connect page, which the edge serves at white-label hosts. */
export const OWN_PAGES: Redaction = {
  pattern: `^(${ORIGIN}/connect/(?:mail/)?)[^/?]+`,
  replacement: '$1[redacted]',
};

const compiled = new Map(
  [OWN_PAGES, ...REDACTIONS].map((redaction) => [redaction, new RegExp(redaction.pattern, 'g')]),
);

function redacted(text: string, redactions: readonly Redaction[]): string {
  return redactions.reduce((left, redaction) => {
    const pattern = compiled.get(redaction);
    return pattern ? left.replace(pattern, redaction.replacement) : left;
  }, text);
}

/**
 * Percent-encodes every byte that is no printable ASCII, and quotes and backslashes. A log viewer or a terminal cannot mistake the result
 * for anything but text, and both engines write it alike.
 */
function bounded(text: string, charsMax: number): string {
  const plain = text.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0').slice(-2)}`,
  );
  return plain.length > charsMax ? `${plain.slice(0, charsMax)}...` : plain;
}
