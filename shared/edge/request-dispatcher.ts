import type { EdgeRoute, RouteSource } from '../core/edge/edge-route.ts';
import { splitTarget } from '../core/edge/request-target.ts';
import type { Instant } from '../core/instant.ts';
import type { ServiceNames } from '../core/service-name.ts';
import type { TrafficCounter } from '../core/traffic/traffic-counter.ts';
import { countRequest } from '../core/traffic/traffic-counts.ts';
import type { ChallengeSource } from '../ports/certificates.ts';
import type { Clock } from '../ports/system.ts';
import { type AccessLog, accessEntry } from './access-log.ts';
import { type EdgeFailure, edgeFailure, type OnEdgeFailure } from './edge-failure.ts';
import type { EdgeLimits } from './edge-limits.ts';
import { HEALTH, healthResponse } from './edge-responses.ts';
import type { SeenRequest } from './forwarding/seen-request.ts';
import type { VisitorHandler } from './listeners/visitor-server.ts';
import { challengeResponse, challengeToken } from './routing/challenge-path.ts';
import type { PathReceipts } from './routing/path-receipts.ts';
import type { VisitorRequest } from './visitor-request.ts';
import { headerPairs } from './wire/raw-headers.ts';
import { type ReadRequest, readRequestHead } from './wire/request-head.ts';

export interface RequestDispatcherOptions {
  findRoute: RouteSource;
  /** Source of responses to HTTP-01 challenges (RFC 8555 section 8.3). */
  challenges?: ChallengeSource;
  /** Responds to our own probes, which test whether requests to a hostname reach this edge. */
  pathReceipts?: PathReceipts;
  /** Returns whether load balancers should send visitors here. If absent, the edge answers no health checks. */
  isReady?: () => boolean;
  names: ServiceNames;
  /** The real time, because origins compare the timestamp of the signature with their own clock. */
  wallClock: Clock;
  /** True in the emulator, where `careers.acme.com.localhost` stands for `careers.acme.com`. */
  localhostSuffix?: boolean;
  limits: EdgeLimits;
  /** Called once for each request, before its response starts. */
  onRequest?: (seen: SeenRequest) => void;
  onFailure?: OnEdgeFailure;
  accessLog?: AccessLog | undefined;
  /** Counts the traffic of domains. */
  traffic?: TrafficCounter;
  /** The clock that determines the hour in which a request is counted; by default `wallClock`. */
  clock?: Clock;
}

/** A request whose route is known. */
export interface RoutedRequest {
  visitorRequest: VisitorRequest;
  request: ReadableRequest;
  route: EdgeRoute;
}

export type ReadableRequest = Extract<ReadRequest, { ok: true }>;

/**
 * Creates the first stage of request handling, which is the same on every port. It refuses invalid requests and hostnames without a route,
 * and responds to challenges of certificate authorities. It passes all other requests to `onward`.
 * @param onward called with each request that has a route.
 */
export function createRequestDispatcher(
  options: RequestDispatcherOptions,
  onward: (request: RoutedRequest) => void,
): Omit<VisitorHandler, 'close'> {
  const { names, limits, localhostSuffix = false, challenges, pathReceipts, findRoute, isReady } = options;
  const readOptions = {
    names,
    localhostSuffix,
    headersMax: limits.headersMax,
    headerBytesMax: limits.header_bytes_max,
  };

  function serve(visitorRequest: VisitorRequest): boolean {
    const request = readRequestHead(visitorRequest.wire.head, readOptions);
    if (!request.ok) {
      visitorRequest.fail(request.status, request.reason);
      return request.status !== 400;
    }
    const { hostname, suffix } = request.host;
    visitorRequest.facts.host = hostname;
    const { servername, isRelayed } = visitorRequest.visitor;
    const isMisdirected = servername !== null && servername !== hostname + suffix && !isRelayed;
    // A visitor may use a connection only for the hostname of its TLS handshake, even if the certificate has other names (RFC 9110 section
    // 7.4). This does not apply to a trusted proxy, whose connections several visitors share.
    if (isMisdirected) visitorRequest.fail(421);
    else if (isReady && isHealthCheck(visitorRequest, request))
      visitorRequest.respond(healthResponse(isReady(), visitorRequest.requestId));
    else if (!giveReceipt(visitorRequest, request)) void route(visitorRequest, request);
    return true;
  }

  /** Responds if the request is one of our own probes, even if the hostname has no route. @returns false for any other request. */
  function giveReceipt(visitorRequest: VisitorRequest, { host, pathAndQuery }: ReadableRequest): boolean {
    const { method, rawHeaders } = visitorRequest.wire.head;
    const response = pathReceipts?.respond({
      method,
      hostname: host.hostname,
      pathAndQuery,
      scheme: visitorRequest.visitor.servername === null ? 'http' : 'https',
      rawHeaders,
      requestId: visitorRequest.requestId,
    });
    if (response) visitorRequest.respond(response);
    return Boolean(response);
  }

  /** Finds the route of a request and passes the request on. Never rejects: if something fails, responds with 503. */
  async function route(visitorRequest: VisitorRequest, request: ReadableRequest): Promise<void> {
    const { hostname } = request.host;
    const token = challenges ? challengeToken(visitorRequest.wire.head.method, request.pathAndQuery) : null;
    let doing: EdgeFailure['of'] = 'challenge';
    try {
      if (challenges && token !== null) {
        const response = await challengeResponse(challenges, hostname, token, visitorRequest.requestId);
        if (response !== null) return visitorRequest.respond(response);
      }
      doing = 'route';
      const finding = findRoute(hostname);
      // Continues synchronously if the route is in memory.
      visitorRequest.facts.routeWasAsked = finding instanceof Promise;
      const found = finding instanceof Promise ? await finding : finding;
      if (visitorRequest.finished) return;
      if (found === null) visitorRequest.fail(404);
      else if (found === 'held') visitorRequest.fail(451);
      else {
        visitorRequest.facts.domain_id = found.domain_id;
        visitorRequest.facts.app_id = found.app_id;
        onward({ visitorRequest, request, route: found });
      }
    } catch (error) {
      options.onFailure?.(edgeFailure(visitorRequest, doing, error));
      visitorRequest.fail(503);
    }
  }

  return {
    findRoute,
    serve,
    seen(visitorRequest, status) {
      if (!options.onRequest) return;
      const { requestId, facts, wire } = visitorRequest;
      const { headers } = facts;
      options.onRequest({
        request_id: requestId,
        at: options.wallClock.now(),
        method: wire.head.method,
        path: splitTarget(wire.head.target).pathAndQuery,
        host: facts.host,
        domain_id: facts.domain_id,
        status,
        get headers() {
          return headerPairs(headers);
        },
      });
    },
    ended(visitorRequest) {
      const { accessLog, wallClock } = options;
      if (accessLog?.takes()) accessLog.write(accessEntry(visitorRequest, wallClock.now()));
      if (options.traffic) countTraffic(options.traffic, visitorRequest, (options.clock ?? wallClock).now());
    },
  };
}

/** Returns whether a request is a health check: its host is an IP address, which no domain can have as its hostname. */
function isHealthCheck({ wire }: VisitorRequest, { host, pathAndQuery }: ReadableRequest): boolean {
  return (
    pathAndQuery === HEALTH.path &&
    /^(?:GET|HEAD) (?:[\d.]+$|\[)/.test(`${wire.head.method} ${host.hostname}`)
  );
}

/** Adds an ended request to the traffic of its domain. Ignores a request without a domain. */
function countTraffic(counter: TrafficCounter, request: VisitorRequest, now: Instant): void {
  const { facts, responded, startedAt, wire } = request;
  const { domain_id, app_id, originFailed } = facts;
  if (domain_id === null || app_id === null) return;
  const { received, sent } = wire.takeBytes();
  countRequest(counter.sumFor({ domain_id, app_id }, now), {
    status: responded?.status ?? null,
    bytesIn: received,
    bytesOut: sent,
    latencyMs: responded?.by === 'origin' ? responded.at - startedAt : null,
    originFailed,
  });
}
