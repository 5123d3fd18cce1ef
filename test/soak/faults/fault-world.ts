import { type Composition, composeService } from '../../../service/compose.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { createThrowawayCa, type ThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';
import { addActiveDomain } from '../../service/acme/live-domain.ts';
import { migrateAt } from '../../service/database/migrated-database.ts';
import { createEdgeRole } from '../../service/edge/edge-role.ts';
import { testConfig } from '../../service/settings/test-config.ts';
import { createNode, type FaultNode, KINDS } from './fault-nodes.ts';
import { fillHostnames } from './fill-hostnames.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';

/**
 * Nodes on one Postgres with a synchronous standby. One app gets the writes and has a webhook receiver. Another app has live domains.
 */
export interface FaultWorld extends AsyncDisposable {
  pair: PostgresPair;
  /** Returns the Postgres server that accepts writes at present. */
  database(): PostgresPair['primary'];
  nodes: FaultNode[];
  ca: ThrowawayCa;
  receiver: WebhookReceiver;
  liveKey: string;
  testKey: string;
  /** Active live domains. The edge redirects visits of their `www.` names, so the domains need no origin. */
  live: { id: DomainId; hostname: string }[];
  /** The operator's access to the service, with a direct connection to the primary. */
  composition: Composition;
  promote(): Promise<void>;
}

const QUIET = createJsonLog('silent', { write: () => undefined });

interface FaultWorldOptions {
  /** Number of live domains that the test may delete or put on hold. */
  liveCount: number;
  /** Number of further hostnames that the edges serve; by default none. */
  hostnames?: number;
  /** Whether a fourth node is an edge on a machine of its own. */
  hasOutside?: boolean;
}

/** Starts the servers and the nodes. */
export async function startFaultWorld({
  liveCount,
  hostnames = 0,
  hasOutside = false,
}: FaultWorldOptions): Promise<FaultWorld> {
  await using stack = new AsyncDisposableStack();
  const pair = stack.use(await startPostgresPair());
  let database = pair.primary;
  await migrateAt(pair.primary.url);
  const composition = await composeService(testConfig(pair.primary.url), QUIET);
  stack.defer(() => composition.close().catch(() => undefined));
  const { context } = composition;
  const receiver = stack.use(await startReceiver());
  const ca = stack.adopt(createThrowawayCa(), (each) => each[Symbol.dispose]());
  const terms = { plan: 'enterprise', card_on_file: true, trial_ends_at: null } as const;
  const writing = await openAccount(context, 'faults', { name: 'Acme', terms, webhook_url: receiver.url });
  // A deletion locks its account. The live domains belong to a separate account, so a delayed commit does not block the writes of the load.
  const opened = await openAccount(context, 'faults', { name: 'Globex', terms });
  // A new account may add only a few live domains.
  await pair.primary.query(`update accounts set created_at = created_at - ${7 * DAY_MS}`);
  const caller = {
    app_id: opened.app.id,
    account_id: opened.account.id,
    key_id: context.ids('key'),
    mode: 'live' as const,
    idempotency: null,
  };
  const live: FaultWorld['live'] = [];
  for (let n = 0; n < liveCount; n++) {
    const hostname = `acme-${n}.org`;
    const id = await addActiveDomain(context, caller, ca, { hostname, apex_redirect: 'www' });
    live.push({ id, hostname });
  }
  if (hostnames > 0) {
    const filled = await openAccount(context, 'faults', { name: 'Initech', terms });
    await fillHostnames(context, pair.primary.url, filled.app.id, { ca, hostnames });
  }
  const nodes: FaultNode[] = [];
  for (const kind of KINDS) nodes.push(stack.use(await createNode(kind, pair.primary.port)));
  if (hasOutside) {
    // The role ends with its server.
    const { url } = await createEdgeRole(pair.primary.url);
    const outside = { role: new URL(url).username, innerUrl: nodes[0]?.apiUrl ?? '' };
    nodes.push(stack.use(await createNode('built-in', pair.primary.port, outside)));
  }
  await Promise.all(nodes.map((node) => node.start()));
  const owned = stack.move();
  return {
    pair,
    database: () => database,
    nodes,
    ca,
    receiver,
    liveKey: opened.live_key ?? '',
    testKey: writing.test_key,
    live,
    composition,
    async promote() {
      await pair.promote();
      database = pair.standby;
      for (const { gate } of nodes) {
        gate.target = pair.standby.port;
        gate.cut();
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
