import path from 'node:path';
import type { EdgeLimits } from '../../../shared/edge/edge-limits.ts';
import { TLS_SETTINGS } from '../../../shared/edge/tls/tls-settings.ts';
import type { AccessLogTarget } from '../../settings/access-log-settings.ts';
import type { ListenAddress } from '../../settings/setting-kinds.ts';
import { accessLogDirective } from './nginx-logs.ts';
import { NEVER_PASSED, ORIGIN_KEEP_ALIVE_S, POOLS } from './nginx-policy.ts';
import type { NginxProgram } from './nginx-program.ts';

/** A port of the edge. */
export interface NginxListener {
  address: ListenAddress;
  tls: boolean;
  /** True if this port redirects requests for live domains to HTTPS. */
  redirects: boolean;
  /** The scheme that origins receive in `X-Forwarded-Proto`. */
  scheme: 'http' | 'https';
}

export interface ConfigurationOptions {
  program: NginxProgram;
  /** The folder of this run of nginx. It has every file that the configuration names. */
  folder: string;
  luaFolder: string;
  workers: number;
  /** The user that nginx's workers run as; null for the user of this process. */
  user: string | null;
  listeners: readonly NginxListener[];
  limits: EdgeLimits;
  /** The addresses and networks of load balancers that begin each connection with a PROXY protocol header. */
  balancers: readonly string[];
  connectTimeoutMs: number;
  /** The destination of the access log; null if requests are not logged. */
  accessLog: AccessLogTarget | null;
  http3: boolean;
}

/** Returns the content of nginx's configuration file. A pure function. */
export function nginxConfiguration(options: ConfigurationOptions): string {
  const { program, folder, luaFolder, limits, workers, user } = options;
  // This limit applies to each worker, as all limits do, because visitors are not distributed evenly over the workers.
  const connections = Math.max(1024, Math.ceil(2.2 * limits.connectionsMax));
  return `# Written by Nameplate at each start.
${program.modules.map((file) => `load_module ${file};`).join('\n')}
${user === null ? '' : `user ${user};`}
daemon off;
worker_processes ${workers};
# A reload changes the ticket keys each day. The workers from before it end by the next one, with the WebSockets that they still have.
worker_shutdown_timeout 24h;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log error;
events { worker_connections ${connections}; }
http {
  access_log off;
  server_tokens off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  lua_package_path '${folder}/?.lua;${luaFolder}/?.lua;;';
  ${SHARED.map(([name, megabytes]) => `lua_shared_dict ${name} ${megabytes}m;`).join(' ')}
  lua_socket_log_errors off; lua_check_client_abort on;
  lua_max_pending_timers 16384; lua_max_running_timers 16384;
  init_by_lua_block { edge = require "nameplate.edge"; worker = require "nameplate.worker"; certificates = require "nameplate.certificates" }
  init_worker_by_lua_block { worker.start() }
  exit_worker_by_lua_block { worker.stop() }

${visitorSettings(limits)}
${forwardingSettings(options)}
  # Variables that Lua sets. The directive of that name would run for each request.
  map '' $nameplate_headers { default ''; } map '' $nameplate_origin { default ''; } map '' $nameplate_sni { default ''; } map '' $nameplate_line { default ''; }
  # Lua has escaped the line.
  log_format nameplate escape=none '$nameplate_line';
${realAddress(options.balancers)}
${Array.from({ length: POOLS }, (_, i) => upstream(`pool${i + 1}`, true)).join('\n')}
${upstream('single', false)}
${options.listeners.map((listener) => server(listener, options)).join('\n')}
  server {
    listen unix:${folder}/nginx.sock;
    client_max_body_size 16m; client_body_buffer_size 16m;
    location = /alive { content_by_lua_block { worker.alive() } }
    location = /changed { content_by_lua_block { worker.changed() } }
    location = /counted { content_by_lua_block { worker.counted() } }
    location = /closing { content_by_lua_block { worker.closing() } }
  }
}
`;
}

/** nginx's shared memory zones, in MiB. If a zone is full, its least recently used values are dropped, except in the zone `traffic`. */
const SHARED: readonly [name: string, megabytes: number][] = [
  ['routes', 64],
  ['certificates', 48],
  ['apps', 8],
  ['origins', 4],
  ['counters', 4],
  ['traffic', 16],
  ['meta', 1],
];

function visitorSettings(limits: EdgeLimits): string {
  const seconds = (ms: number) => `${ms}ms`;
  return `  client_header_timeout ${seconds(Math.min(limits.headers_timeout_ms, limits.handshake_timeout_ms))};
  client_body_timeout ${seconds(limits.progress_window_ms)};
  send_timeout ${seconds(limits.progress_window_ms)};
  keepalive_timeout ${seconds(limits.keep_alive_ms)};
  keepalive_requests 100000;
  client_max_body_size 0;
  client_header_buffer_size 1k;
  large_client_header_buffers 2 ${limits.header_bytes_max};
  http2_max_concurrent_streams ${limits.streams_max};
  reset_timedout_connection on;
  lingering_timeout 5s; lingering_time 10s;
  merge_slashes off;
  ignore_invalid_headers on;
  underscores_in_headers off;
  if_modified_since off;
  etag off;`;
}

function forwardingSettings({ limits, folder, connectTimeoutMs }: ConfigurationOptions): string {
  return `  proxy_http_version 1.1;
  proxy_buffering off;
  proxy_request_buffering off;
  proxy_buffer_size 16k; proxy_buffers 4 16k; proxy_busy_buffers_size 32k;
  proxy_redirect off;
  proxy_connect_timeout ${connectTimeoutMs}ms;
  proxy_read_timeout ${Math.min(limits.origin_headers_timeout_ms, limits.origin_idle_ms)}ms;
  proxy_send_timeout ${limits.origin_idle_ms}ms;
  proxy_next_upstream error timeout;
  proxy_next_upstream_timeout ${connectTimeoutMs}ms;
  proxy_ignore_headers X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset Expires Cache-Control Set-Cookie Vary;
  ${PASSED.map((name) => `proxy_pass_header ${name};`).join(' ')}
  proxy_ssl_server_name on;
  proxy_ssl_verify on;
  proxy_ssl_verify_depth 8;
  proxy_ssl_trusted_certificate ${folder}/authorities.pem;
  proxy_ssl_protocols TLSv1.2 TLSv1.3;`;
}

/** Response headers of origins that nginx would remove by default. */
const PASSED = [
  'Server',
  'Date',
  'X-Pad',
  'X-Accel-Expires',
  'X-Accel-Redirect',
  'X-Accel-Limit-Rate',
  'X-Accel-Buffering',
  'X-Accel-Charset',
];
/**
 * Response headers of origins that visitors never get. Connection, Keep-Alive and Transfer-Encoding are missing here, because nginx removes
 * them itself.
 */
const HIDDEN = NEVER_PASSED.filter(
  (name) =>
    ![
      'host',
      'content-length',
      'connection',
      'keep-alive',
      'transfer-encoding',
      'expect',
      'forwarded',
      'cdn-loop',
    ].includes(name),
).concat('alt-svc');

/** Returns the directives that take the visitor's address from the PROXY protocol header of a trusted load balancer. */
function realAddress(balancers: readonly string[]): string {
  if (balancers.length === 0) return '';
  return `  real_ip_header proxy_protocol;\n  ${balancers.map((each) => `set_real_ip_from ${each};`).join(' ')}`;
}

function upstream(name: string, keeps: boolean): string {
  const keepalive = keeps
    ? ` keepalive 64; keepalive_timeout ${ORIGIN_KEEP_ALIVE_S}s; keepalive_requests 1000000;`
    : '';
  return `  upstream ${name} { server 0.0.0.1; balancer_by_lua_block { edge.connect() }${keepalive} }`;
}

function server(listener: NginxListener, options: ConfigurationOptions): string {
  const { address, tls, redirects, scheme } = listener;
  const { folder, limits, balancers, http3 } = options;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const flags = `${balancers.length > 0 ? ' proxy_protocol' : ''}${tls ? ' ssl http2' : ''} reuseport backlog=4096 so_keepalive=on`;
  const idle = `${limits.tunnel_idle_ms}ms`;
  // The internal location of our pages. It has a random path instead of a name, because nginx cannot use a named location for a request
  // without a path.
  const page = `/${path.basename(folder)}-page`;
  return `  server {
    listen ${host}:${address.port}${flags};
    ${tls && http3 ? `listen ${host}:${address.port} quic reuseport;` : ''}
    server_name _;
    ${accessLogDirective(options.accessLog)}
${tls ? tlsSettings(folder, limits) : ''}
    header_filter_by_lua_block { edge.response() }
    log_by_lua_block { edge.done() }
    error_page 400 404 408 502 503 504 ${page};
    error_page 413 495 496 501 505 =400 ${page};
    error_page 414 494 =431 ${page};
    error_page 405 =501 ${page};
    error_page 497 @close;
    error_page 500 =503 ${page};
    location / {
      access_by_lua_block { edge.access("${scheme}", ${redirects}) }
${passing('$nameplate_origin', HIDDEN)}
    }
    # No request may follow one that asks for an upgrade: its visitor may already send bytes of another protocol.
    location @tunnel {
      keepalive_timeout 0;
      proxy_read_timeout ${idle}; proxy_send_timeout ${idle};
      access_by_lua_block { edge.access("${scheme}", ${redirects}, true) }
${passing(
  '$nameplate_origin$request_uri',
  HIDDEN.filter((name) => name !== 'upgrade'),
)}
    }
    location @close { return 444; }
    location = ${page} { internal; content_by_lua_block { edge.error_page() } }
  }`;
}

/** Returns the directives that forward a request. nginx sends all headers that we add as one string with line breaks, in `Host`. */
function passing(to: string, hidden: readonly string[]): string {
  const removed = NEVER_PASSED.filter(
    (name) => !['host', 'content-length', 'transfer-encoding'].includes(name),
  );
  return `      proxy_pass ${to};
      ${hidden.map((name) => `proxy_hide_header ${name};`).join(' ')}
      proxy_ssl_name $nameplate_sni;
      proxy_set_header Host $nameplate_headers;
      ${removed.map((name) => `proxy_set_header ${name} "";`).join(' ')}`;
}

function tlsSettings(folder: string, limits: EdgeLimits): string {
  const { ciphers, ecdhCurve, sigalgs } = TLS_SETTINGS;
  const all = ciphers.split(':');
  const isTls13 = (name: string) => name.startsWith('TLS_');
  return `    # Names no file. nginx derives the context of sessions from it, which must be the same on every node.
    ssl_certificate $nameplate_sni; ssl_certificate_key $nameplate_sni;
    ssl_certificate_by_lua_block { certificates.choose() }
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_ciphers ${all.filter((name) => !isTls13(name)).join(':')};
    ssl_conf_command Ciphersuites ${all.filter(isTls13).join(':')};
    ssl_conf_command SignatureAlgorithms ${sigalgs};
    ssl_conf_command Options PrioritizeChaCha;
    ssl_prefer_server_ciphers on;
    ssl_ecdh_curve ${ecdhCurve.replace('X25519MLKEM768:', '')};
    ssl_session_cache off;
    ssl_session_tickets on;
    ssl_session_ticket_key ${folder}/tickets.key;
    ssl_session_timeout ${limits.session_ms / 1000}s;
    ssl_buffer_size 4k;`;
}
