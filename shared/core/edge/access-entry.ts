import type { Instant } from '../instant.ts';

/** An entry of the edge's access log: a request that has ended (`decisions/0060`). */
export interface AccessEntry {
  endedAt: Instant;
  durationMs: number;
  method: string;
  scheme: 'http' | 'https';
  /** The hostname of the request; null if the request had no readable `Host`. */
  host: string | null;
  /** Path and query, as the visitor sent them. */
  target: string;
  /** Status of the response. Null if the visitor left before it began. */
  status: number | null;
  /** Number of bytes of the response's body. Null for a WebSocket. */
  bodyBytes: number | null;
  /** The sender of the response; null if the visitor got no response. */
  responder: Responder | null;
  httpVersion: string;
  address: string;
  userAgent: string | null;
  domainId: string | null;
  /** The `X-Request-Id` of a response by the edge. Null unless the edge responded, because origins send their own ids. */
  requestId: string | null;
}

export type Responder = 'edge' | 'origin';

/** Returns an entry as one line of JSON. Fields have the names of OpenTelemetry's semantic conventions, if those define one. */
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

/** Maximum length of texts that a visitor sent. Longer texts are cut, so that a line stays below the 8 KiB that syslog servers accept. */
export const CHARS_MAX = { method: 32, path: 1024, query: 1024, userAgent: 256 } as const;

/** A replacement in a log line. The syntax is valid in both JavaScript and PCRE, because both engines of the edge apply it. */
export interface Redaction {
  pattern: string;
  replacement: string;
}

/** The scheme and host in the target of a request to a proxy (absolute-form). The edge refuses such a request, but logs it. */
const ORIGIN = '(?:[A-Za-z][\\w+.-]*://[^/?]*)?';

/** Our own secrets, which are redacted in every path and query. */
export const REDACTIONS: readonly Redaction[] = [
  // Tokens of HTTP-01 challenges and of our probes are in paths below `/.well-known/` (RFC 8615).
  { pattern: `^(${ORIGIN}/\\.well-known/[^/?]+/)[^?]+`, replacement: '$1[redacted]' },
  // A probe of the public path has a token of 38 characters, which can be in any path.
  { pattern: '(?<![\\w-])[\\w-]{38}(?![\\w-])', replacement: '[redacted]' },
  { pattern: '(whsec_|sk_live_|sk_test_)[\\w+/=-]+', replacement: '$1[redacted]' },
];

/** The token in the URL of a connect page, which the edge itself serves at white-label hosts. */
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
 * Cuts a text, and percent-encodes quotes, backslashes and every byte that is not printable ASCII. So no log viewer or terminal can take
 * the text for a command, and both engines of the edge write the same line.
 */
function bounded(text: string, charsMax: number): string {
  const plain = text.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0').slice(-2)}`,
  );
  return plain.length > charsMax ? `${plain.slice(0, charsMax)}...` : plain;
}
