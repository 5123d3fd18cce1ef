/** Where a hostname leads. Held and unknown names are answered by the edge itself (`docs/domains.md`). */
export interface EdgeRoute {
  domain_id: string;
  app_id: string;
  /** The domain's own hostname. */
  hostname: string;
  /** `https://host[:port]`; the emulator allows `http:` too. Null is the sandbox origin. */
  origin: string | null;
  /** Section 2.2: added to every request of the domain, replacing any copy the visitor sent. */
  origin_headers: Readonly<Record<string, string>> | null;
  /** The secret that the origin already accepts (section 5.7). */
  signing_secret: string;
  /** For `www.<apex>`: the apex to redirect to. */
  redirect_to: string | null;
}

/** What a hostname is to the edge; null when no domain has it. */
export type FoundRoute = EdgeRoute | 'held' | null;

/**
 * Where hostnames lead: a `RouteTable`, or something that has to ask.
 * @param hostname lowercase, without port, trailing dot or the emulator's `.localhost`.
 */
export type RouteSource = (hostname: string) => FoundRoute | Promise<FoundRoute>;
