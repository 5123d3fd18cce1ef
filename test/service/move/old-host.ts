import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { startDaemon } from '../../fixtures/daemon.ts';

export const CADDY = '/usr/bin/caddy';

/**
 * A Caddy, as the old host of a platform. At the first visit of a hostname, Caddy obtains a certificate from its internal CA (on-demand
 * TLS).
 */
export interface OldHost extends AsyncDisposable {
  address: string;
  /** The issuer of Caddy's certificates, in PEM. Each start makes a new issuer. */
  root: string;
  /**
   * Makes Caddy obtain each certificate with one visit. Otherwise, several first handshakes could come at once, and Caddy fails some of
   * them.
   */
  haveCertificates(hostnames: readonly string[]): Promise<void>;
}

/** @param app port of the app on 127.0.0.1. Caddy asks the app which hostnames may have a certificate. */
export async function startOldHost(listen: { address: string; port: number }, app: number): Promise<OldHost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'old-host-'));
  const file = path.join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{
  admin off
  storage file_system ${folder}/storage
  skip_install_trust
  auto_https disable_redirects
  on_demand_tls {
    ask http://127.0.0.1:${app}/may-have-a-certificate
  }
}
https://:${listen.port} {
  bind ${listen.address}
  tls internal {
    on_demand
  }
  reverse_proxy 127.0.0.1:${app}
}
`,
  );
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  const ready = /serving initial configuration/;
  const { stop } = await startDaemon(CADDY, args, { stream: 'stderr', ready, failed: /^Error: / });
  const root = path.join(folder, 'storage/pki/authorities/local/root.crt');
  if (!existsSync(root)) throw new Error('Caddy has no root certificate');
  return {
    address: listen.address,
    root: readFileSync(root, 'utf8'),
    async haveCertificates(hostnames) {
      for (const hostname of hostnames) await shakeHandsOnce({ ...listen, hostname });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function shakeHandsOnce(to: { address: string; port: number; hostname: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { address: host, port, hostname: servername } = to;
  const socket = connect({ host, port, servername, rejectUnauthorized: false }, () => {
    socket.destroy();
    resolve();
  });
  socket.once('error', reject);
  return promise;
}
