import type { Front, Rule, Setup, Upstream } from './fronts.ts';

/** Returns the configuration of HAProxy, with two frontends at the address of each setup. */
export function haproxyConfiguration(setups: readonly Setup[], to: Upstream): string {
  const frontends = setups.flatMap(({ front, address }, index) => [
    front.http && frontend(`http_${index}`, `${address}:${to.httpPort}`, front.http, front, to),
    front.https && frontend(`https_${index}`, `${address}:${to.httpsPort}`, front.https, front, to),
  ]);
  return `global
  maxconn 2000
  log stderr format raw local0 notice
defaults
  mode http
  timeout connect 3s
  retries 0
  timeout client 20s
  timeout server 20s
cache pages
  total-max-size 4
  max-age 60
backend edge_http
  server edge ${to.address}:${to.httpPort}
backend edge_https
  server edge ${to.address}:${to.httpsPort} ssl verify none sni req.hdr(host),field(1,:)
backend edge_tcp
  mode tcp
  server edge ${to.address}:${to.httpsPort}
backend down
  server nowhere 127.0.0.1:1
${frontends.filter(Boolean).join('\n')}
`;
}

function frontend(
  name: string,
  address: string,
  rule: Rule,
  { certificate = 'good' }: Front,
  to: Upstream,
): string {
  const isTcp = rule.kind === 'tcp';
  const tls =
    name.startsWith('https') && !isTcp ? ` ssl crt ${to.certificates[certificate]} alpn h2,http/1.1` : '';
  const lines = isTcp ? ['mode tcp', 'default_backend edge_tcp'] : directives(rule, to);
  return [`frontend ${name}`, `bind ${address}${tls}`, ...lines].join('\n  ');
}

function directives(rule: Exclude<Rule, { kind: 'tcp' }>, to: Upstream): string[] {
  if (rule.kind === 'status') return [ownResponse(rule.code)];
  if (rule.kind === 'redirect') return [redirect(rule.to, to)];
  if (rule.kind === 'down') return ['default_backend down'];
  return passing(rule, to);
}

/** Returns the configuration line for a response with a custom body, which HAProxy allows only for some statuses. */
function ownResponse(code: number, condition = ''): string {
  return `http-request return status ${code} content-type text/plain string "another site" ${condition}`;
}

function redirect(target: Extract<Rule, { kind: 'redirect' }>['to'], to: Upstream, condition = ''): string {
  const { httpPort, httpsPort } = to;
  const host = '%[req.hdr(host),field(1,:)]';
  const scheme = 'http%[ssl_fc,iif(s,)]';
  const location = {
    https: `https://${host}:${httpsPort}%[pathq]`,
    http: `http://${host}:${httpPort}%[pathq]`,
    self: `${scheme}://%[req.hdr(host)]%[pathq]`,
    elsewhere: 'https://www.elsewhere.example%[pathq]',
    slash: `${scheme}://%[req.hdr(host)]%[pathq]/`,
  }[target];
  return `http-request redirect location ${location} code 302 ${condition}`;
}

const PATHS = {
  prefix: 'http-request set-path /app%[path]',
  replace: 'http-request set-path /landing',
  query: 'http-request set-query from=proxy',
};
const STRIPS = {
  cookie: 'http-request del-header cookie',
  header: 'http-request del-header x-service-path-probe',
  set_cookie: 'http-response del-header set-cookie',
  response_header: 'http-response del-header x-service-path-probe',
};

function passing(rule: Extract<Rule, { kind: 'pass' }>, to: Upstream): string[] {
  const { by, host, path, strip, only, cache, extras, upgradesRest } = rule;
  const others = `${only === 'well_known' ? 'unless' : 'if'} { path_beg /.well-known/ }`;
  return [
    'option forwardfor',
    ...(only === undefined ? [] : [upgradesRest ? redirect('https', to, others) : ownResponse(200, others)]),
    ...(host === undefined ? [] : [`http-request set-header Host ${host}`]),
    ...(path === undefined ? [] : [PATHS[path]]),
    ...(strip === undefined ? [] : [STRIPS[strip]]),
    ...(extras
      ? [
          'compression algo gzip',
          'compression type text/plain',
          'http-response set-header X-Served-By HAProxy',
        ]
      : []),
    ...(cache === undefined
      ? []
      : [
          'http-request cache-use pages',
          'http-response set-header Cache-Control "public, max-age=60"',
          'http-response cache-store pages',
        ]),
    `default_backend edge_${by}`,
  ];
}
