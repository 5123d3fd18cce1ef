import { METHODS } from 'node:http';
import { TRIED_MS } from '../../../shared/adapters/guarded-connect.ts';
import { CHARS_MAX, OWN_PAGES, REDACTIONS } from '../../../shared/core/edge/access-entry.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import {
  MAC_LABELS,
  PROBE_COOKIE,
  probeHeader,
  TOKEN_CHARS,
  TOKEN_MS,
  TOKEN_PATTERN,
} from '../../../shared/core/public-path/path-receipt.ts';
import type { ServiceNames } from '../../../shared/core/service-name.ts';
import {
  COUNTER_INDEX,
  LATENCY_BOUNDS_MS,
  LATENCY_INDEX,
} from '../../../shared/core/traffic/traffic-counts.ts';
import type { EdgeLimits } from '../../../shared/edge/edge-limits.ts';
import { HEALTH, responseTemplates } from '../../../shared/edge/edge-responses.ts';
import { NO_ORIGIN } from '../../../shared/edge/forwarding/origin-forwarding.ts';
import { REMADE } from '../../../shared/edge/forwarding/request-headers.ts';
import { HOP_BY_HOP } from '../../../shared/edge/forwarding/response-headers.ts';
import { OWN_PAGE_HEADERS } from '../../../shared/edge/own-pages.ts';
import { receiptHeaders } from '../../../shared/edge/routing/path-receipts.ts';
import { headerPairs } from '../../../shared/edge/wire/raw-headers.ts';
import { loopToken, PASSES_MAX, REFUSALS } from '../../../shared/edge/wire/request-head.ts';
import { HOST_CHARS_MAX } from '../../../shared/edge/wire/request-host.ts';
import type { AccessLogSettings } from '../../settings/access-log-settings.ts';
import { LATE_MS } from '../engine.ts';
import type { LuaValue } from './lua-literal.ts';
import { START_MS } from './nginx-process.ts';

export interface PolicyOptions {
  names: ServiceNames;
  limits: EdgeLimits;
  /** Identifies this run of nginx. */
  instance: string;
  /** The path of the socket on which the node process listens for nginx. */
  controlSocket: string;
  /** The addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  proxies: readonly string[];
  /** The keys for the tokens and receipts of path probes. The first key signs; the others only verify. */
  pathKeys: readonly Uint8Array[];
  /** The port in redirects to HTTPS, with its colon; empty for 443. */
  httpsPort: string;
  localhostSuffix: boolean;
  /** The settings of the access log; null if requests are not logged. */
  accessLog: AccessLogSettings | null;
  countsTraffic: boolean;
  connectTimeoutMs: number;
  /** How long nginx continues to run without a node process before it ends; by default 30 minutes. */
  orphanMs: number | undefined;
  /** Number of parsed certificates that each worker keeps. */
  parsedCertificatesMax: number;
}

/** The number of origins to which each worker keeps idle connections open. Other origins get a new connection for each request. */
export const POOLS = 256;
export const ORIGIN_KEEP_ALIVE_S = 60;
const ORPHAN_MS = 30 * MINUTE_MS;
/** How long nginx uses the checked addresses of an origin before the node process looks them up again. */
const ADDRESSES_FRESH_S = 5;

/** The number of domains whose traffic a worker sums up in a second. Requests to further domains are counted only for their apps. */
const TRAFFIC_DOMAINS = 10_000;
/** The maximum number of traffic sums that the node process collects at once. */
const TRAFFIC_LINES = 20_000;

/** The placeholder for the id in a receipt, which the Lua code replaces. */
const PROBE_ID = '\u0001';

/** Headers that nginx never forwards as the visitor sent them. nginx sets them itself or leaves them out. */
export const NEVER_PASSED: readonly string[] = [...HOP_BY_HOP, ...REMADE];

/** The connection-specific headers, which HTTP/2 forbids (RFC 9113 section 8.2.2). In the built-in engine, Node's parser refuses them. */
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'];

/** Returns the edge's policy as data for nginx's Lua code, from the same tables that the built-in edge uses. */
export function nginxPolicy(options: PolicyOptions): LuaValue {
  const { names, limits } = options;
  const headerOf = (name: string) => name.toLowerCase();
  return {
    instance: options.instance,
    health: { path: HEALTH.path, not_ready: HEALTH.notReady, late_s: LATE_MS / SECOND_MS },
    start_s: START_MS / SECOND_MS,
    orphan_s: (options.orphanMs ?? ORPHAN_MS) / SECOND_MS,
    control: {
      socket: `unix:${options.controlSocket}`,
      connect_ms: 1_000,
      send_ms: 1_000,
      read_ms: 15_000,
      // The node process sends a message every second. After this time without one, nginx no longer waits for the process. After the next
      // message, nginx reads every route again.
      silent_s: 3,
      // For this time after the last message, a visitor whose route or certificate nginx lacks waits for the next node process.
      return_s: 10,
    },
    limits,
    origins: {
      pools: POOLS,
      fresh_s: ADDRESSES_FRESH_S,
      keep_alive_s: ORIGIN_KEEP_ALIVE_S,
      connect_s: options.connectTimeoutMs / SECOND_MS,
      tried_s: Math.min(TRIED_MS, options.connectTimeoutMs) / SECOND_MS,
    },
    traffic: {
      counts: options.countsTraffic,
      counters: { ...COUNTER_INDEX },
      latency_index: LATENCY_INDEX,
      latency_bounds_ms: LATENCY_BOUNDS_MS,
      domains_max: TRAFFIC_DOMAINS,
      collected_max: TRAFFIC_LINES,
    },
    certificates: { parsed_max: options.parsedCertificatesMax },
    proxies: options.proxies,
    methods: METHODS,
    connection_headers: CONNECTION_HEADERS,
    loop_token: loopToken(names),
    passes_max: PASSES_MAX,
    host_chars_max: HOST_CHARS_MAX,
    localhost_suffix: options.localhostSuffix,
    read_headers: [
      'host',
      'content-length',
      'te',
      'cdn-loop',
      'x-forwarded-for',
      ...CONNECTION_HEADERS,
      headerOf(probeHeader(names)),
    ],
    stripped_prefixes: [headerOf(names.origin_header_prefix), 'x-forwarded'],
    never_cleared: NEVER_PASSED,
    kept_in_responses: { 'content-length': true, 'content-type': true, 'transfer-encoding': true },
    refusals: REFUSALS,
    pages: Object.fromEntries(
      responseTemplates().map(({ status, ...template }) => [String(status), { ...template }]),
    ),
    page_headers: Object.fromEntries(headerPairs(OWN_PAGE_HEADERS)),
    no_origin: NO_ORIGIN,
    timestamp_header: names.timestamp_header,
    signature_header: names.origin_signature_header,
    probe: {
      keys: options.pathKeys.map((key) => Buffer.from(key).toString('base64')),
      labels: MAC_LABELS,
      header: headerOf(probeHeader(names)),
      cookie: PROBE_COOKIE,
      pattern: TOKEN_PATTERN,
      chars: TOKEN_CHARS,
      token_s: TOKEN_MS / SECOND_MS,
      headers: Object.fromEntries(headerPairs(receiptHeaders(probeHeader(names), PROBE_ID))),
      id: PROBE_ID,
    },
    https_port: options.httpsPort,
    ...(options.accessLog && { access_log: accessLogRules(options.accessLog) }),
  };
}

function accessLogRules({ sample, query }: AccessLogSettings): LuaValue {
  const { userAgent, ...charsMax } = CHARS_MAX;
  return {
    sample,
    query,
    own_pages: { ...OWN_PAGES },
    redactions: REDACTIONS.map((redaction) => ({ ...redaction })),
    chars_max: { ...charsMax, user_agent: userAgent },
  };
}
