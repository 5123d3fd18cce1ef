import type { VisitorRequest } from './visitor-request.ts';

/** The reason for a 502, 503 or 504 of the edge, for the log. It has no path, query or header. */
export interface EdgeFailure {
  request_id: string;
  domain_id: string | null;
  /** What failed: the lookup of a challenge, the lookup of the route, or the origin. */
  of: 'challenge' | 'route' | 'origin';
  error: unknown;
}

export type OnEdgeFailure = (failure: EdgeFailure) => void;

export function edgeFailure(
  { requestId, facts }: VisitorRequest,
  of: EdgeFailure['of'],
  error: unknown,
): EdgeFailure {
  return { request_id: requestId, domain_id: facts.domain_id, of, error };
}
