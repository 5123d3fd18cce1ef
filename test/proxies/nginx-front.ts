import type { Front, Rule, Setup, Upstream } from './fronts.ts';

/** Returns the configuration of nginx, with two servers at the address of each setup. */
export function nginxConfiguration(setups: readonly Setup[], to: Upstream): string {
  const servers = setups.flatMap(({ front, address }) => [
    front.http && server(`${address}:${to.httpPort}`, front.http, front, to),
    front.https && server(`${address}:${to.httpsPort} ssl http2`, front.https, front, to),
  ]);
  return `daemon off;
user root;
pid ${to.folder}/nginx.pid;
master_process off;
error_log stderr notice;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${to.folder}/body;
  proxy_temp_path ${to.folder}/proxy;
  fastcgi_temp_path ${to.folder}/fastcgi;
  uwsgi_temp_path ${to.folder}/uwsgi;
  scgi_temp_path ${to.folder}/scgi;
  proxy_cache_path ${to.folder}/cache keys_zone=pages:1m;
  proxy_http_version 1.1;
  proxy_ssl_server_name on;
  proxy_ssl_name $host;
  proxy_ssl_session_reuse off;
  upstream plain { server ${to.address}:${to.httpPort}; keepalive 8; }
  ${servers.filter(Boolean).join('\n  ')}
}
`;
}

function server(listen: string, rule: Rule, { certificate = 'good' }: Front, to: Upstream): string {
  const file = to.certificates[certificate];
  return `server { listen ${listen}; ssl_certificate ${file}; ssl_certificate_key ${file}; ${locations(rule, to)} }`;
}

function locations(rule: Rule, to: Upstream): string {
  if (rule.kind === 'status') return `location / { return ${rule.code} "another site"; }`;
  if (rule.kind === 'redirect') return `location / { return 302 ${redirectTarget(rule.to, to)}; }`;
  if (rule.kind === 'down') return 'location / { proxy_pass http://127.0.0.1:1; }';
  if (rule.kind === 'tcp') throw new Error('nginx needs its stream module for that');
  const pass = `{ ${passing(rule, to).join(' ')} }`;
  const rest = rule.upgradesRest
    ? `{ return 302 ${redirectTarget('https', to)}; }`
    : '{ return 200 "another site"; }';
  if (rule.only === undefined) return `location / ${pass}`;
  return rule.only === 'well_known'
    ? `location /.well-known/ ${pass} location / ${rest}`
    : `location /.well-known/ ${rest} location / ${pass}`;
}

function redirectTarget(
  target: Extract<Rule, { kind: 'redirect' }>['to'],
  { httpPort, httpsPort }: Upstream,
): string {
  return {
    https: `https://$host:${httpsPort}$request_uri`,
    http: `http://$host:${httpPort}$request_uri`,
    self: '$scheme://$http_host$request_uri',
    elsewhere: 'https://www.elsewhere.example$request_uri',
    slash: '$scheme://$http_host$request_uri/',
  }[target];
}

const PATHS = { prefix: '/app$request_uri', replace: '/landing', query: '$request_uri?from=proxy' };
const STRIPS = {
  cookie: 'proxy_set_header Cookie "";',
  header: 'proxy_set_header X-Service-Path-Probe "";',
  set_cookie: 'proxy_hide_header Set-Cookie;',
  response_header: 'proxy_hide_header X-Service-Path-Probe;',
};

function passing(rule: Extract<Rule, { kind: 'pass' }>, to: Upstream): string[] {
  const { by, host = '$http_host', path, strip, cache, extras } = rule;
  const base = by === 'http' ? 'http://plain' : `https://${to.address}:${to.httpsPort}`;
  return [
    `proxy_pass ${base}${path === undefined ? '' : PATHS[path]};`,
    `proxy_set_header Host ${host};`,
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    'proxy_set_header Connection "";',
    ...(strip === undefined ? [] : [STRIPS[strip]]),
    ...(extras ? ['gzip on; gzip_types *; gzip_min_length 1; add_header X-Served-By nginx;'] : []),
    ...(cache === undefined
      ? []
      : [
          'proxy_cache pages; proxy_cache_valid any 1m; proxy_ignore_headers Cache-Control Set-Cookie Expires;',
          `proxy_cache_key ${cache === 'by_host' ? '$host' : '$scheme$host$request_uri'};`,
        ]),
  ];
}
