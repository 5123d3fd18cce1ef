import type { Hop } from '../../shared/core/public-path/public-path.ts';

/** How a server in front of our edge treats requests on one port. */
export type Rule =
  | {
      kind: 'pass';
      /** The scheme with which the server connects to our edge. */
      by: 'http' | 'https';
      host?: string;
      path?: 'prefix' | 'replace' | 'query';
      strip?: 'cookie' | 'header' | 'set_cookie' | 'response_header';
      /** The requests that the server forwards: below `/.well-known/`, or all others. By default, it forwards every request. */
      only?: 'well_known' | 'ordinary';
      /** If true, the server redirects the requests that it does not forward to HTTPS. By default, it answers them itself. */
      upgradesRest?: boolean;
      cache?: 'by_host' | 'by_url';
      /** If true, the server compresses responses and adds headers. */
      extras?: boolean;
    }
  | { kind: 'redirect'; to: 'https' | 'http' | 'self' | 'elsewhere' | 'slash' }
  | { kind: 'status'; code: number }
  /** The server cannot connect to the edge. */
  | { kind: 'down' }
  /** The server forwards the TLS bytes without decrypting them. */
  | { kind: 'tcp' };

export const PROGRAMS = ['nginx', 'caddy', 'haproxy'] as const;
export type Program = (typeof PROGRAMS)[number];

/**
 * A server in front of our edge, and what a probe must find before and after the edge has a certificate. If `http` or `https` is null, that
 * port is closed.
 */
export interface Front {
  title: string;
  http: Rule | null;
  https: Rule | null;
  certificate?: 'good' | 'wrong' | 'expired';
  /** The programs that can act as this server; by default all. */
  programs?: readonly Program[];
  before: Found;
  after: Found;
}

/** The hop that a probe finds. `!` means that the domain may be live through this hop. */
export type Found = `${Hop}${'' | '!'}`;

const HTTP = { kind: 'pass', by: 'http' } as const;
const HTTPS = { kind: 'pass', by: 'https' } as const;
const UPGRADE = { kind: 'redirect', to: 'https' } as const;
const both = (change: Partial<Extract<Rule, { kind: 'pass' }>>) => ({
  http: { ...HTTP, ...change },
  https: { ...HTTPS, ...change },
});
const same = (rule: Rule) => ({ http: rule, https: rule });
const always = (found: Found) => ({ before: found, after: found });

/** All fronts that the tests use. */
export const FRONTS: readonly Front[] = [
  { title: 'plain HTTP alone', http: HTTP, https: null, before: 'proxied!', after: 'proxied' },
  { title: 'both schemes', http: HTTP, https: HTTPS, before: 'proxied!', after: 'tls_ended!' },
  {
    title: 'compression and more headers',
    ...both({ extras: true }),
    before: 'proxied!',
    after: 'tls_ended!',
  },
  { title: 'a redirect to HTTPS', http: UPGRADE, https: HTTPS, before: 'unreachable', after: 'tls_ended!' },
  {
    title: 'a redirect to HTTPS except for /.well-known/',
    http: { ...HTTP, only: 'well_known', upgradesRest: true },
    https: HTTPS,
    before: 'proxied!',
    after: 'tls_ended!',
  },
  { title: 'HTTPS alone', http: null, https: HTTPS, before: 'unreachable', after: 'tls_ended!' },
  { title: 'HTTPS for both schemes', http: HTTPS, https: HTTPS, before: 'unreachable', after: 'tls_ended!' },
  {
    title: 'TLS that is passed on',
    http: HTTP,
    https: { kind: 'tcp' },
    programs: ['haproxy'],
    before: 'proxied!',
    after: 'proxied!',
  },
  {
    title: 'TLS that is passed on, alone',
    http: null,
    https: { kind: 'tcp' },
    programs: ['haproxy'],
    before: 'unreachable',
    after: 'proxied!',
  },
  { title: 'plain HTTP behind HTTPS', http: HTTP, https: HTTP, ...always('flexible') },
  { title: 'plain HTTP behind HTTPS, with a redirect', http: UPGRADE, https: HTTP, ...always('flexible') },
  {
    title: 'a certificate of another name',
    http: HTTP,
    https: HTTPS,
    certificate: 'wrong',
    ...always('proxied'),
  },
  { title: 'an expired certificate', http: HTTP, https: HTTPS, certificate: 'expired', ...always('proxied') },
  {
    title: 'a redirect to a wrong certificate',
    http: UPGRADE,
    https: HTTPS,
    certificate: 'wrong',
    ...always('unreachable'),
  },
  { title: 'another hostname', ...both({ host: 'origin.example' }), ...always('host_rewritten') },
  { title: 'a path below a prefix', ...both({ path: 'prefix' }), ...always('path_rewritten') },
  { title: 'one path for all', ...both({ path: 'replace' }), ...always('path_rewritten') },
  { title: 'a parameter more', ...both({ path: 'query' }), ...always('path_rewritten') },
  {
    title: 'a redirect to another site',
    ...same({ kind: 'redirect', to: 'elsewhere' }),
    ...always('redirected'),
  },
  {
    title: 'a redirect to another site by HTTP alone',
    http: { kind: 'redirect', to: 'elsewhere' },
    https: null,
    ...always('redirected'),
  },
  {
    title: 'a redirect to another path',
    ...same({ kind: 'redirect', to: 'slash' }),
    ...always('redirected'),
  },
  { title: 'a redirect to itself', ...same({ kind: 'redirect', to: 'self' }), ...always('looping') },
  {
    title: 'redirects to each other',
    http: UPGRADE,
    https: { kind: 'redirect', to: 'http' },
    ...always('looping'),
  },
  { title: 'a loop that was noticed', ...same({ kind: 'status', code: 508 }), ...always('looping') },
  {
    title: 'a cache of one page for all',
    ...both({ cache: 'by_host' }),
    programs: ['nginx'],
    ...always('cached'),
  },
  {
    title: 'a cache against our will',
    ...both({ cache: 'by_url' }),
    programs: ['nginx', 'haproxy'],
    ...always('cached'),
  },
  { title: 'no cookies', ...both({ strip: 'cookie' }), ...always('headers_stripped') },
  { title: 'no unknown headers', ...both({ strip: 'header' }), ...always('headers_stripped') },
  { title: 'no cookies of responses', ...both({ strip: 'set_cookie' }), ...always('headers_stripped') },
  {
    title: 'no unknown headers of responses',
    ...both({ strip: 'response_header' }),
    ...always('headers_stripped'),
  },
  { title: '/.well-known/ alone', ...both({ only: 'well_known' }), ...always('partial') },
  { title: 'all but /.well-known/', ...both({ only: 'ordinary' }), ...always('partial') },
  { title: 'another site by HTTPS', http: HTTP, https: { kind: 'status', code: 200 }, ...always('partial') },
  {
    title: 'another site by HTTP',
    http: { kind: 'status', code: 200 },
    https: HTTPS,
    before: 'elsewhere',
    after: 'partial',
  },
  { title: 'another site', ...same({ kind: 'status', code: 200 }), ...always('elsewhere') },
  { title: 'another site without the path', ...same({ kind: 'status', code: 404 }), ...always('elsewhere') },
  { title: 'a firewall', ...same({ kind: 'status', code: 403 }), ...always('elsewhere') },
  { title: 'an edge that it cannot reach', ...same({ kind: 'down' }), ...always('unreachable') },
  { title: 'a page for maintenance', ...same({ kind: 'status', code: 503 }), ...always('unreachable') },
  { title: 'closed ports', http: null, https: null, ...always('unreachable') },
];

/** One front run by one program at its own address, before or after our edge has a certificate for the hostname. */
export interface Setup {
  front: Front;
  program: Program;
  address: string;
  hostname: string;
  stage: 'before' | 'after';
}

export const SETUPS: readonly Setup[] = PROGRAMS.flatMap((program, p) =>
  FRONTS.flatMap((front, f) => {
    if (!(front.programs ?? PROGRAMS).includes(program)) return [];
    const address = `127.88.${p + 1}.${f + 1}`;
    return (['before', 'after'] as const).map((stage) => {
      const hostname = `${program}-${f}.${stage}.test`;
      return { front, program, address, hostname, stage };
    });
  }),
);

/** The data about our edge that each program's configuration needs. */
export interface Upstream {
  address: string;
  httpPort: number;
  httpsPort: number;
  /**
   * Files with a certificate chain and its key, for programs that want one file. `key` is the file with the key alone, for programs that
   * want two files.
   */
  certificates: Record<'good' | 'wrong' | 'expired', string>;
  folder: string;
}
