import type { PathReceipt } from './path-receipt.ts';
import type { Hop, PublicPath } from './public-path.ts';

/** The outcome of one request of a probe, by which a worker finds out whether a hostname's public path leads to our edge. */
export type PathResponse =
  /** The response contains our edge's receipt for this request. `whole` is false if the response lost its header or its cookie. */
  | { kind: 'receipt'; receipt: PathReceipt; path: string; whole: boolean; serial: string | null }
  /** The response contains our edge's receipt for another request, so it comes from a cache. */
  | { kind: 'stale' }
  /** A redirect to the same URL with the other scheme, `http` or `https`. */
  | { kind: 'other_scheme' }
  | { kind: 'redirect' }
  | { kind: 'loop' }
  | { kind: 'response'; status: number }
  /** The server has a certificate that browsers do not accept. */
  | { kind: 'bad_certificate' }
  /** A handshake or a connection broke off. */
  | { kind: 'broken' }
  | { kind: 'silent' };

/** Results of a probe at one address of a hostname. */
export interface AddressProbe {
  address: string;
  /** The responses to requests of the well-known path, over HTTP and over HTTPS. */
  http: PathResponse;
  https: PathResponse;
  /** The responses to an ordinary path, and to a second request of the well-known path. Null if no server responded. */
  ordinary: PathResponse | null;
  again: PathResponse | null;
}

export interface PathContext {
  hostname: string;
  /** The serial number of the certificate that our edge serves for the hostname; null before it has one. */
  serial: string | null;
}

type Found = Pick<PublicPath, 'hop' | 'leads_here' | 'https_fails'>;

/** Classifies the public path of a hostname. Each of the hostname's addresses has to lead to our edge, because visitors use any of them. */
export function classifyPath(probes: readonly AddressProbe[], context: PathContext): PublicPath {
  const found = probes.map((probe) => classifyAddress(probe, context));
  const leading = found.find(({ leads_here }) => leads_here);
  // If other addresses lead to our edge, an address that does not respond at all is an outage and no fault of the path.
  const fault = found.find(({ leads_here, hop }) => !leads_here && (hop !== 'unreachable' || !leading));
  const { hop, leads_here, https_fails } = fault ?? leading ?? UNREACHABLE;
  return {
    hop,
    leads_here,
    https_fails,
    addresses: probes.map(({ address }) => address),
    reaches_edge: probes.some(({ http, https, ordinary }) => [http, https, ordinary].some(isFromEdge)),
  };
}

const UNREACHABLE: Found = { hop: 'unreachable', leads_here: false, https_fails: false };

function isFromEdge(response: PathResponse | null): boolean {
  return response?.kind === 'receipt' || response?.kind === 'stale';
}

function classifyAddress(probe: AddressProbe, context: PathContext): Found {
  const { http, https, ordinary, again } = probe;
  const best = https.kind === 'receipt' ? https : http;
  const fault =
    cacheFault(probe) ??
    loopFault(probe) ??
    (best.kind === 'receipt' ? changeFault(best, probe, context) : null);
  if (fault !== null) return no(fault);
  if (best.kind !== 'receipt') return no(ordinary?.kind === 'receipt' ? 'partial' : missing(http, https));
  if (ordinary?.kind !== 'receipt' && !(best === http && ordinary?.kind === 'other_scheme'))
    return no('partial');
  if (again?.kind !== 'receipt') return no('partial');
  return best === https ? byHttps(probe, best, context) : byHttp(probe, context);
}

function no(hop: Hop): Found {
  return { hop, leads_here: false, https_fails: false };
}

/** Finds a cached response: a receipt of another request, or the same receipt twice. Our edge forbids caches to store these responses. */
function cacheFault({ http, https, ordinary, again }: AddressProbe): Hop | null {
  const all = [http, https, ordinary, again];
  const ids = all.flatMap((each) => (each?.kind === 'receipt' ? each.receipt.id : []));
  return all.some((each) => each?.kind === 'stale') || new Set(ids).size < ids.length ? 'cached' : null;
}

/** Finds loops: HTTP and HTTPS that redirect to each other or to themselves, and requests that reach our edge a second time (508). */
function loopFault({ http, https, ordinary }: AddressProbe): Hop | null {
  const all = [http, https, ordinary];
  const isLoop = all.some(
    (each) => each?.kind === 'loop' || (each?.kind === 'response' && each.status === 508),
  );
  return isLoop || (http.kind === 'other_scheme' && https.kind === 'other_scheme') ? 'looping' : null;
}

/** Finds what a proxy changed in the requests that reached our edge, or in their responses. */
function changeFault(
  { receipt, whole }: Extract<PathResponse, { kind: 'receipt' }>,
  { http, https, ordinary, again }: AddressProbe,
  { hostname }: PathContext,
): Hop | null {
  // A site may forward a request to another host or path at our edge, so every receipt is checked.
  const all = [http, https, ordinary, again].filter((each) => each?.kind === 'receipt');
  if (all.some((each) => each.receipt.host !== hostname)) return 'host_rewritten';
  if (all.some((each) => each.receipt.path !== each.path)) return 'path_rewritten';
  if (https.kind === 'receipt' && https.receipt.scheme === 'http') return 'flexible';
  return whole && receipt.cookie && receipt.header ? null : 'headers_stripped';
}

/** Returns why requests reached our edge neither over HTTP nor over HTTPS. */
function missing(http: PathResponse, https: PathResponse): Hop {
  if (http.kind === 'redirect' || https.kind === 'redirect') return 'redirected';
  return isFailure(http) && isFailure(https) ? 'unreachable' : 'elsewhere';
}

/** Returns true if a response does not show where the path leads. This includes a 5xx, because a proxy that cannot reach us sends it. */
function isFailure(response: PathResponse): boolean {
  const { kind } = response;
  if (kind === 'response') return response.status >= 500;
  return kind === 'silent' || kind === 'broken' || kind === 'other_scheme' || kind === 'bad_certificate';
}

function byHttps({ http }: AddressProbe, { serial }: { serial: string | null }, context: PathContext): Found {
  // Plain HTTP must lead to our edge too, because visitors who type the name begin with it.
  if (!isFailure(http) && http.kind !== 'receipt') return no('partial');
  const isOwn = serial !== null && serial === context.serial;
  return { hop: isOwn ? 'proxied' : 'tls_ended', leads_here: true, https_fails: false };
}

/** Classifies a path that leads to our edge over plain HTTP only. Before we have a certificate, a proxy cannot reach us over HTTPS. */
function byHttp({ https }: AddressProbe, { serial }: PathContext): Found {
  if (!isFailure(https)) return no(https.kind === 'redirect' ? 'redirected' : 'partial');
  const httpsFails = https.kind === 'bad_certificate' || serial !== null;
  return { hop: 'proxied', leads_here: !httpsFails, https_fails: httpsFails };
}
