import type { ManualTrigger } from '../../shared/core/domains/transitions.ts';

/** The steps with which a picture's app reaches its state. */
interface AppSteps {
  add(hostname: string, metadata?: Record<string, string>): Promise<string>;
  trigger(id: string, name: ManualTrigger, reason?: string): Promise<unknown>;
  /** Moves the clock, and runs the work that becomes due. */
  advance(ms: number): Promise<unknown>;
  /** Sets the response of the app's webhook receiver. */
  answer(status: number, body: string): void;
}

const [SECOND_MS, MINUTE_MS] = [1000, 60_000];

const ACTIVE = [
  'careers.acme.com',
  'shop.globex.com',
  'docs.initech.com',
  'status.hooli.com',
  'help.umbrella.org',
  'jobs.stark.io',
  'vandelay.com',
  'kb.massive-dynamic.com',
];
const TO_ISSUING: ManualTrigger[] = ['dns_seen', 'dns_confirmed'];

/** The ids of the domains that have a page of their own in the pictures. */
type Ids = Record<'active' | 'broken' | 'failed' | 'held' | 'expired' | 'pending', string>;

/** Fills an app over half a day: domains in every status, and webhooks that are delivered, retried and queued. */
export async function fillApp({ add, trigger, advance, answer }: AppSteps): Promise<Ids> {
  const ids: Record<string, string> = {};
  const addNext = async (hostname: string, triggers: readonly ManualTrigger[] = [], reason?: string) => {
    const id = await add(hostname, { customer: String(17 + Object.keys(ids).length * 7) });
    ids[hostname] = id;
    for (const [index, name] of triggers.entries())
      await trigger(id, name, index === triggers.length - 1 ? reason : undefined);
    return id;
  };
  for (const hostname of ACTIVE) {
    await addNext(hostname);
    await advance(40 * MINUTE_MS);
  }
  const failed = await addNext('blog.wayne.com', [...TO_ISSUING, 'issuance_failed'], 'caa_forbids');
  const expired = await addNext('portal.tyrell.com', ['window_passed'], 'window_expired');
  await advance(79 * MINUTE_MS);
  await trigger(ids['jobs.stark.io'] ?? '', 'dns_gone', 'dns_proxied');
  const held = await addNext('www.soylent.co', ['hold']);
  await advance(29 * MINUTE_MS);
  const broken = ids['help.umbrella.org'] ?? '';
  await trigger(broken, 'dns_gone', 'dns_record_mismatch');
  await advance(6 * MINUTE_MS);
  answer(500, '{"error":"connection pool exhausted"}');
  await addNext('support.oscorp.com');
  await advance(6 * MINUTE_MS + 20 * SECOND_MS);
  const pending = await addNext('dns-record-mismatch.at-godaddy.example.com');
  await advance(9 * SECOND_MS);
  answer(200, '');
  await addNext('learn.cyberdyne.io', ['dns_seen']);
  await addNext('team.piedpiper.com', TO_ISSUING);
  return { active: ids['careers.acme.com'] ?? '', broken, failed, held, expired, pending };
}
