import type { AccessEntry } from '../core/edge/access-entry.ts';
import { splitTarget } from '../core/edge/request-target.ts';
import type { Instant } from '../core/instant.ts';
import type { VisitorRequest } from './visitor-request.ts';
import { headerValues } from './wire/raw-headers.ts';

/** A log of visitors' requests. Its methods return immediately and never throw. */
export interface AccessLog {
  /** Returns whether to log the next request, because only a sample of requests is logged. */
  takes(): boolean;
  write(entry: AccessEntry): void;
}

/** Returns the log entry of a request that has ended. */
export function accessEntry(request: VisitorRequest, endedAt: Instant): AccessEntry {
  const { wire, visitor, facts, responded, requestId, startedAt, tunnelled } = request;
  const { method, target, httpVersion, rawHeaders } = wire.head;
  return {
    endedAt,
    durationMs: performance.now() - startedAt,
    method,
    scheme: visitor.servername === null ? 'http' : 'https',
    host: facts.host,
    target: splitTarget(target).pathAndQuery,
    status: responded?.status ?? null,
    bodyBytes: tunnelled ? null : wire.bodyBytes,
    responder: responded?.by ?? null,
    httpVersion,
    address: visitor.address,
    userAgent: headerValues(rawHeaders, 'user-agent')[0] ?? null,
    domainId: facts.domain_id,
    requestId: responded?.by === 'edge' ? requestId : null,
  };
}
