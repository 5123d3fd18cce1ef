import type { VisitorRequest } from './visitor-request.ts';

/** Why the edge responded with 502, 503 or 504, for the log. Contains no path, query or header. */
export interface EdgeFailure {
  request_id: string;
  domain_id: string | null;
  /** The failed part: the lookup of a challenge, the lookup of the route, the request to the origin, or a page of the service itself. */
  of: 'challenge' | 'route' | 'origin' | 'page';
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
