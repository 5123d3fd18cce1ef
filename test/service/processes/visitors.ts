import { composeService } from '../../../service/compose.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { askOver, handshake, type TlsHandshake } from '../../edge/tls/tls-visitor.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import type { Deployment } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';

/** The edge itself redirects this hostname to its apex, so a visit needs no origin. */
const HOST = 'www.acme.com';
/** The result of a visit that got its redirect. */
export const REDIRECTED = '308';
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
const VISITORS = 6;
/** Number of connections that are opened at once. */
const OPEN = 20;

/** Visitors of the edge of one deployment. */
export interface Visitors extends Disposable {
  connect(port: number, session?: Buffer): Promise<TlsHandshake>;
  connectMany(port: number, session?: Buffer): Promise<TlsHandshake[]>;
  /** Sends a request over an open connection. Returns the status of the response, or what happened instead. */
  ask(made: TlsHandshake): Promise<string>;
  /** Sends a request over a new connection. */
  visit(port: number): Promise<string>;
  /** Sends visits one after another until `stop`, which returns the distinct results. */
  keepVisiting(port: number): AsyncDisposable & { stop(): Promise<Set<string>> };
}

/** Adds an active domain to a deployment. */
export async function addVisitedDomain(deployment: Deployment): Promise<Visitors> {
  const ca = createThrowawayCa();
  const { context, close } = await composeService(testConfig(deployment.database.url, deployment.env), QUIET);
  const { app, account } = await openAccount(context, 'ada', {
    name: 'Acme',
    terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
  });
  const caller = {
    app_id: app.id,
    account_id: account.id,
    key_id: context.ids('key'),
    mode: 'live' as const,
    idempotency: null,
  };
  await addActiveDomain(context, caller, ca, { hostname: 'acme.com', apex_redirect: 'www' });
  await close();

  const connect = (port: number, session?: Buffer) =>
    handshake(port, HOST, { ca: ca.certificate, ...(session !== undefined && { session }) });

  async function ask({ socket, error }: TlsHandshake): Promise<string> {
    if (error) return `${error}`;
    const request = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
    const response = await askOver(socket, request).catch(String);
    return /^HTTP\/1.1 (\d+)/.exec(response)?.[1] ?? `no response: ${response}`;
  }

  const visit = async (port: number) => ask(await connect(port));
  return {
    connect,
    connectMany: (port, session) => Promise.all(Array.from({ length: OPEN }, () => connect(port, session))),
    ask,
    visit,
    keepVisiting(port) {
      const results = new Set<string>();
      let over = false;
      const visitors = Array.from({ length: VISITORS }, async () => {
        while (!over) results.add(await visit(port));
      });
      const stop = async () => {
        over = true;
        await Promise.all(visitors);
        return results;
      };
      return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
    },
    [Symbol.dispose]: () => ca[Symbol.dispose](),
  };
}
