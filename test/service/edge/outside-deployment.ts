import { randomBytes } from 'node:crypto';
import { composeService } from '../../../service/compose.ts';
import { readConfig } from '../../../service/config.ts';
import { edgeRingOf, ringText } from '../../../service/settings/key-rings.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { askOver, handshake } from '../../edge/tls/tls-visitor.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { createDeployment } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';

/** The hostname of the domain, which redirects. */
export const OUTSIDE_HOST = 'www.acme.com';
const WEBHOOK = 'https://hooks.acme.example/6c1f0c4e';
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

export type OutsideDeployment = Awaited<ReturnType<typeof createOutsideDeployment>>;

/** Creates a deployment with one active domain, for tests of edges on machines of their own. */
export async function createOutsideDeployment() {
  const ca = createThrowawayCa();
  const masterKey = randomBytes(32);
  const deployment = await createDeployment();
  const inside = { ...deployment.env, NAMEPLATE_ENCRYPTION_KEYS: `k1:${masterKey.toString('base64')}` };
  const { context, close } = await composeService(testConfig(deployment.database.url, inside), QUIET);
  const { app, account, live_key, test_key, signing_secret } = await openAccount(context, 'ada', {
    name: 'Acme',
    terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
    webhook_url: WEBHOOK,
  });
  const caller = { app_id: app.id, account_id: account.id, key_id: context.ids('key'), idempotency: null };
  const domain = await addActiveDomain(context, { ...caller, mode: 'live' }, ca, {
    hostname: 'acme.com',
    apex_redirect: 'www',
  });
  const { NAMEPLATE_ENCRYPTION_KEYS: _, DATABASE_URL: __, ...shared } = deployment.env;
  return {
    /** The settings of operator commands. */
    operatorEnv: inside,
    databaseUrl: deployment.database.url,
    /** The settings of an edge, without a source and a replica. */
    env: {
      ...shared,
      NAMEPLATE_ROLES: 'edge',
      NAMEPLATE_EDGE_KEYS: ringText(edgeRingOf(readConfig(inside))),
    },
    signingSecret: signing_secret,
    /** Secrets that an edge must never have. */
    secrets: {
      'the encryption key': masterKey,
      'the encryption key in base64': Buffer.from(masterKey.toString('base64').slice(0, 40)),
      'the live key': Buffer.from(live_key ?? ''),
      'the test key': Buffer.from(test_key),
      'the webhook address': Buffer.from(WEBHOOK),
    },
    /** Visits the domain. @returns the first line of the response, or the error. */
    async visit(edgePort: number): Promise<string> {
      const { socket, error } = await handshake(edgePort, OUTSIDE_HOST, { ca: ca.certificate });
      if (error) return `${error}`;
      const request = `GET / HTTP/1.1\r\nHost: ${OUTSIDE_HOST}\r\nConnection: close\r\n\r\n`;
      return (await askOver(socket, request)).split('\r\n')[0] ?? '';
    },
    deleteDomain: () => deleteDomain(context, { ...caller, mode: 'live' }, { params: { id: domain } }),
    async [Symbol.asyncDispose]() {
      await close();
      await deployment[Symbol.asyncDispose]();
      ca[Symbol.dispose]();
    },
  };
}
