import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startDaemon } from '../fixtures/daemon.ts';
import { caddyConfiguration } from './caddy-front.ts';
import type { Program, Setup, Upstream } from './fronts.ts';
import { haproxyConfiguration } from './haproxy-front.ts';
import { nginxConfiguration } from './nginx-front.ts';

export const FRONT_PACKAGES = {
  packages: ['nginx-light', 'caddy', 'haproxy'],
  programs: ['/usr/sbin/nginx', '/usr/bin/caddy', '/usr/sbin/haproxy'],
} as const;

interface Start {
  path: string;
  file: string;
  args(file: string): readonly string[];
  configure(setups: readonly Setup[], to: Upstream): string;
  ready: RegExp;
  failed: RegExp;
}

/** How to start each program in the foreground, and the log line after which the program listens. */
const STARTS: Record<Program, Start> = {
  nginx: {
    path: '/usr/sbin/nginx',
    file: 'nginx.conf',
    args: (file) => ['-c', file, '-e', 'stderr'],
    configure: nginxConfiguration,
    // Runs as a single process, because workers would outlive a killed master.
    ready: /RLIMIT_NOFILE/,
    failed: /\[(?:emerg|crit)\]/,
  },
  caddy: {
    path: '/usr/bin/caddy',
    file: 'Caddyfile',
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    configure: caddyConfiguration,
    ready: /serving initial configuration/,
    failed: /^Error:|"level":"error"/,
  },
  haproxy: {
    path: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    args: (file) => ['-W', '-f', file],
    configure: haproxyConfiguration,
    ready: /Loading success/,
    failed: /\[ALERT\]/,
  },
};

/** Starts one process of a program, which serves all setups of the program. */
export async function startFronts(
  program: Program,
  setups: readonly Setup[],
  to: Upstream,
): Promise<AsyncDisposable> {
  const { path: programPath, file, args, configure, ready, failed } = STARTS[program];
  const folder = path.join(to.folder, program);
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, file);
  writeFileSync(config, configure(setups, { ...to, folder }));
  const { stop } = await startDaemon(programPath, args(config), { stream: 'stderr', ready, failed });
  return { [Symbol.asyncDispose]: stop };
}
