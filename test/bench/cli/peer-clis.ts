import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The npm packages of the CLIs to compare ours with. Shopify's CLI is JavaScript on oclif like ours. Stripe's is written in Go. */
const PACKAGES = ['@stripe/cli@1.52.0', '@shopify/cli@4.8.2'];

export interface PeerClis {
  /** Paths of the installed programs, which run with `node`. */
  stripe: string;
  shopify: string;
  remove(): void;
}

const INSTALL_MS_MAX = 300_000;
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs the packages into their own folder, without running install scripts. @throws Error if npm cannot install them. */
export async function installPeers(): Promise<PeerClis> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-peers-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    await promisify(execFile)('npm', ['install', ...FLAGS, ...PACKAGES], {
      cwd: folder,
      timeout: INSTALL_MS_MAX,
    });
  } catch (error) {
    remove();
    throw error;
  }
  const program = (name: string) => path.join(folder, 'node_modules/.bin', name);
  return { stripe: program('stripe'), shopify: program('shopify'), remove };
}
