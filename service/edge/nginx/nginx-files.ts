import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import { NO_HOPS } from '../../../shared/adapters/client-addresses.ts';
import { packageFolder } from '../../../shared/adapters/package-folder.ts';
import type { EdgeLimits } from '../../../shared/edge/edge-limits.ts';
import { luaLiteral } from './lua-literal.ts';
import { nginxConfiguration } from './nginx-configuration.ts';
import type { NginxEdgeOptions } from './nginx-edge.ts';
import { nginxPolicy } from './nginx-policy.ts';
import type { InstanceFiles } from './nginx-process.ts';

/** The file of the session ticket keys. */
export const TICKETS = 'tickets.key';

/** Returns a function that returns the content of all files for a new run of nginx. */
export function instanceFiles(
  options: NginxEdgeOptions & { limits: EdgeLimits },
  controlSocket: string,
  ticketKeys: () => Buffer,
): InstanceFiles {
  const { names, limits, hops = NO_HOPS, httpsPort } = options;
  return (folder, instance) => ({
    'nginx.conf': nginxConfiguration({
      program: options.program,
      folder,
      luaFolder: path.join(packageFolder(), 'service/edge/nginx/lua'),
      workers: options.workers,
      user: process.getuid?.() === 0 ? os.userInfo().username : null,
      listeners: options.listeners,
      limits,
      balancers: hops.balancers.entries,
      connectTimeoutMs: options.connectTimeoutMs,
      http3: options.http3 ?? false,
      accessLog: options.accessLog?.target ?? null,
    }),
    'nameplate/policy.lua': `return ${luaLiteral(
      nginxPolicy({
        names,
        limits,
        instance,
        controlSocket,
        proxies: hops.proxies.entries,
        pathKeys: options.pathReceipts?.keys ?? [],
        httpsPort: httpsPort === 443 ? '' : `:${httpsPort}`,
        localhostSuffix: options.localhostSuffix ?? false,
        accessLog: options.accessLog ?? null,
        connectTimeoutMs: options.connectTimeoutMs,
        orphanMs: options.orphanMs,
        countsTraffic: options.countsTraffic ?? true,
        parsedCertificatesMax: Math.ceil(limits.certificates_hot_max / options.workers),
      }),
    )}\n`,
    'authorities.pem': [...getCACertificates('default'), ...(options.roots ?? [])].join('\n'),
    [TICKETS]: ticketKeys(),
  });
}

/** Returns a hash of nginx's settings. Leaves out the ticket keys, because they change every day. */
export function hashOf(files: ReturnType<InstanceFiles>): string {
  const hash = createHash('sha256');
  for (const name of ['nginx.conf', 'nameplate/policy.lua', 'authorities.pem'])
    hash.update(files[name] ?? '');
  return hash.digest('hex').slice(0, 16);
}
