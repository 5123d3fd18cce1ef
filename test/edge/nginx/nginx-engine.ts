import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addCounted } from '../../../service/edge/nginx/nginx-counters.ts';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx, type NginxProgram } from '../../../service/edge/nginx/nginx-program.ts';
import { ConnectFailure } from '../../../shared/adapters/guarded-connect.ts';
import { freePort } from '../../fixtures/free-port.ts';
import type { EngineOptions, TestedEngine } from '../edge-under-test.ts';

export const NGINX_PACKAGES = {
  packages: ['nginx-light', 'libnginx-mod-http-lua'],
  programs: ['/usr/sbin/nginx', '/usr/lib/nginx/modules/ngx_http_lua_module.so'],
} as const;

let found: Promise<NginxProgram> | null = null;

/** The engine in nginx, for the tests that run on both engines. */
export const NGINX_ENGINE: TestedEngine = {
  name: 'nginx',
  async start(options) {
    found ??= findNginx(NGINX_PACKAGES.programs[0]);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'np-nginx-'));
    const port = await freePort();
    const { guard, tls, scheme, onFailure } = options;
    const lines: string[] = [];
    const edge = await startNginxEdge({
      program: await found,
      folder,
      listeners: [{ address: { host: '127.0.0.1', port }, tls: tls !== undefined, redirects: false, scheme }],
      workers: 1,
      limits: options.limits,
      ...(options.hops && { hops: options.hops }),
      httpsPort: 443,
      localhostSuffix: options.localhostSuffix ?? false,
      wallClock: options.wallClock,
      connectTimeoutMs: options.connectTimeoutMs,
      roots: options.ca,
      ticketKeys: ticketKeysOf(options),
      findRoute: options.findRoute,
      isReady: options.isReady,
      certificates: tls?.certificates ?? null,
      challenges: options.challenges ?? null,
      pathReceipts: options.pathReceipts ?? null,
      names: options.names,
      ids: options.ids,
      resolve: guard.resolve,
      resolveTimeoutMs: options.connectTimeoutMs,
      sandboxOrigin: options.sandboxOrigin,
      pagesOrigin: null,
      accessLog: options.logTo ?? null,
      isPlain: () => false,
      onHandshakeFailure: (failure) => tls?.onFailure?.(failure),
      onCounted({ failures, traffic }) {
        if (options.traffic) addCounted(options.traffic, traffic);
        for (const { of, requestId, domainId, reason } of failures) {
          onFailure({ request_id: requestId, domain_id: domainId, of, error: errorOf(reason) });
        }
      },
      onLine: (line) => lines.push(line),
      onLost: () => undefined,
    });
    return {
      port,
      edge: {
        async certificateChanged(hostname) {
          edge.changed(hostname);
          await edge.settled();
        },
        setTicketKeys: (keys) => edge.setTicketKeys(eightyBytes(keys)),
        async close(closing) {
          await edge.close(closing);
          rmSync(folder, { recursive: true, force: true });
          if (process.env['NGINX_LINES']) console.error(lines.join('\n'));
        },
      },
      collect: edge.collect,
    };
  },
};

/** Returns the session ticket keys as 80 bytes, the length that nginx accepts. */
function ticketKeysOf({ tls }: EngineOptions): Buffer {
  return tls?.ticketKeys ? eightyBytes(tls.ticketKeys) : randomBytes(80);
}

function eightyBytes(keys: Buffer): Buffer {
  return Buffer.concat([keys, keys]).subarray(0, 80);
}

function errorOf(reason: string): Error {
  const [, code] = /^(url_not_allowed|dns_failed|timeout) /.exec(reason) ?? [];
  return code ? new ConnectFailure(code as ConnectFailure['error'], reason) : new Error(reason);
}
