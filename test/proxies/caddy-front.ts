import type { Front, Rule, Setup, Upstream } from './fronts.ts';

/** Returns the configuration of Caddy, with two sites at the address of each setup. */
export function caddyConfiguration(setups: readonly Setup[], to: Upstream): string {
  const sites = setups.flatMap(({ front, address }) => [
    front.http &&
      site(`http://${address}:${to.httpPort}, http://:${to.httpPort}`, address, front.http, front, to),
    front.https && site(`https://:${to.httpsPort}`, address, front.https, front, to),
  ]);
  return `{
  admin off
  auto_https off
  storage file_system ${to.folder}/caddy
}
${sites.filter(Boolean).join('\n')}
`;
}

function site(
  name: string,
  address: string,
  rule: Rule,
  { certificate = 'good' }: Front,
  to: Upstream,
): string {
  const file = to.certificates[certificate];
  const isSecure = name.startsWith('https');
  return `${isSecure ? name : `http://:${to.httpPort}`} {
  bind ${address}
  ${isSecure ? `tls ${file} ${file}` : ''}
  ${handlers(rule, to)}
}`;
}

function handlers(rule: Rule, to: Upstream): string {
  if (rule.kind === 'status') return `respond "another site" ${rule.code}`;
  if (rule.kind === 'redirect') return `redir ${redirectTarget(rule.to, to)} 302`;
  if (rule.kind === 'down') return 'reverse_proxy 127.0.0.1:1';
  if (rule.kind === 'tcp') throw new Error('Caddy needs a module for that');
  const pass = passing(rule, to);
  if (rule.only === undefined) return pass;
  const rest = rule.upgradesRest ? `redir ${redirectTarget('https', to)} 302` : 'respond "another site" 200';
  const [first, last] = rule.only === 'well_known' ? [pass, rest] : [rest, pass];
  return `handle /.well-known/* {\n${first}\n}\nhandle {\n${last}\n}`;
}

function redirectTarget(
  target: Extract<Rule, { kind: 'redirect' }>['to'],
  { httpPort, httpsPort }: Upstream,
): string {
  return {
    https: `https://{host}:${httpsPort}{uri}`,
    http: `http://{host}:${httpPort}{uri}`,
    self: '{scheme}://{hostport}{uri}',
    elsewhere: 'https://www.elsewhere.example{uri}',
    slash: '{scheme}://{hostport}{uri}/',
  }[target];
}

const PATHS = { prefix: '/app{uri}', replace: '/landing', query: '{path}?from=proxy' };
const STRIPS = {
  cookie: 'header_up -Cookie',
  header: 'header_up -X-Service-Path-Probe',
  set_cookie: 'header_down -Set-Cookie',
  response_header: 'header_down -X-Service-Path-Probe',
};

function passing({ by, host, path, strip, extras }: Extract<Rule, { kind: 'pass' }>, to: Upstream): string {
  const upstream = by === 'http' ? `${to.address}:${to.httpPort}` : `https://${to.address}:${to.httpsPort}`;
  const secure = 'transport http {\n tls_server_name {http.request.host}\n tls_insecure_skip_verify\n }';
  return `${path === undefined ? '' : `rewrite * ${PATHS[path]}`}
  ${extras ? 'encode gzip\n header X-Served-By Caddy' : ''}
  reverse_proxy ${upstream} {
    ${by === 'https' ? secure : ''}
    header_up Host ${host ?? '{http.request.hostport}'}
    ${strip === undefined ? '' : STRIPS[strip]}
  }`;
}
