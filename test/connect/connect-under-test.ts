import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { toNodeHandler } from 'h3';
import { bundleBrowserScripts } from '../../bin/browser-script.ts';
import { composeEmulator, type EmulatorComposition } from '../../emulator/compose.ts';
import { DEFAULT_SECRETS } from '../../emulator/state/default-account.ts';
import { serveConnect } from '../../shared/connect/serve-connect.ts';
import type { Finding } from '../../shared/core/dns/dns-finding.ts';
import type { ManualTrigger } from '../../shared/core/domains/transitions.ts';
import type { DomainId } from '../../shared/core/ids.ts';
import { REASONS, type ReasonCode, type ReasonFacts, reasonDetail } from '../../shared/core/reasons.ts';
import { serveEmbed } from '../../shared/embed/serve-embed.ts';
import { createApi } from '../../shared/http/api.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import type { ChangedDomain, CreateDomain } from '../../shared/schema/domain.ts';
import { type DnsCheck, saveDnsCheck } from '../../shared/store/domains/dns-checks.ts';
import { autocommit } from '../../shared/store/store.ts';

/** The connect pages as the emulator serves them, with a frozen clock. */
export interface ConnectUnderTest extends AsyncDisposable {
  url: string;
  composition: EmulatorComposition;
  /** The errors that the emulator logged. */
  logged: string[];
  add(hostname: string, mode?: 'live' | 'test', fields?: Partial<CreateDomain>): Promise<ChangedDomain>;
  /** Runs triggers in order. `reason` goes to the last trigger. */
  lead(id: string, triggers: readonly ManualTrigger[], reason?: string): Promise<void>;
  /** Stores the result of a DNS check. */
  see(id: string, seen: Partial<Pick<DnsCheck, 'name_servers' | 'findings' | 'progress'>>): Promise<void>;
}

export async function connectUnderTest(appName = 'Acme Careers'): Promise<ConnectUnderTest> {
  await bundleBrowserScripts(path.resolve(import.meta.dirname, '../..'));
  let listener: RequestListener = (_req, res) => res.end();
  const server = createServer((req, res) => listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const logged: string[] = [];
  const composition = await composeEmulator({
    file: null,
    origin: null,
    webhook: null,
    clockMode: 'frozen',
    idSeed: null,
    baseUrl: url,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (fields, message) => logged.push(`${message} ${fields.error}`),
    },
  });
  const { context } = composition;
  const app = createApi(context, {}, (api) => serveEmbed(api, context, null));
  serveConnect(app, () => ({ context, appId: null }));
  listener = toNodeHandler(app) as RequestListener;

  async function api(call: string, body: object, key: string): Promise<ChangedDomain> {
    const [method = '', route = ''] = call.split(' ');
    const answer = await fetch(`${url}/v1${route}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${call} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as ChangedDomain;
  }

  await api('PATCH /apps/current', { name: appName }, DEFAULT_SECRETS.live_key);
  return {
    url,
    composition,
    logged,
    add: (hostname, mode = 'live', fields = {}) =>
      api(
        'POST /domains',
        { ...fields, hostname },
        DEFAULT_SECRETS[mode === 'live' ? 'live_key' : 'test_key'],
      ),
    async lead(id, triggers, reason) {
      for (const [index, name] of triggers.entries()) {
        const outcome = await triggerDomain(
          context,
          id,
          name,
          index === triggers.length - 1 ? reason : undefined,
        );
        if (!outcome.ok) throw new Error(`${name} is not possible while ${outcome.problem.status}`);
      }
    },
    see: (id, { name_servers = [], findings = [], progress = 'changed' }) =>
      saveDnsCheck(autocommit(context.store), id as DomainId, {
        // The page shows the later of this time and the time of the last check in the domain's row, so 0 selects the row.
        checked_at: 0,
        missed_at: null,
        one_click: null,
        name_servers,
        findings,
        progress,
        path: null,
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await composition.close();
    },
  };
}

export function finding(code: ReasonCode, facts: ReasonFacts = {}): Finding {
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record: null, ...reasonDetail(code, facts), changes: [] };
}
