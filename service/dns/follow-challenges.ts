import { challengeText, delegationTarget } from '../../shared/core/certificates/acme-challenge.ts';
import type { ChallengeZone } from '../../shared/dns/server/challenge-zone.ts';
import type { Log } from '../../shared/ports/system.ts';
import { listDnsChallenges } from '../../shared/store/certificates/challenges.ts';
import type { Store } from '../../shared/store/store.ts';

/**
 * The interval between reads of the open challenges. An outdated answer does no harm, because we check our name servers before we tell a CA
 * that a challenge is ready.
 */
const EVERY_MS = 1_000;
/** The maximum number of challenges to read. It is never reached, because the number of running orders is limited. */
const OPEN_MAX = 20_000;

/**
 * Reads the open challenges into their zone at regular intervals. While the database is unavailable, the zone keeps the challenges of the
 * last read.
 */
export function followChallenges(
  store: Store,
  zone: ChallengeZone,
  { challengeZone, log, everyMs = EVERY_MS }: { challengeZone: string; log: Log; everyMs?: number },
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  let isFailing = false;

  async function read(): Promise<void> {
    try {
      const texts = new Map<string, string[]>();
      for (const { domain_id, key_authorization } of await listDnsChallenges(store, OPEN_MAX)) {
        const name = delegationTarget(domain_id, challengeZone);
        texts.set(name, [...(texts.get(name) ?? []), challengeText(key_authorization)]);
      }
      zone.replace(texts);
      if (isFailing) log.info({}, 'the challenges can be read again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'the challenges cannot be read');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(start, everyMs);
  }

  let reading: Promise<void>;
  function start(): void {
    reading = read();
  }
  reading = read();

  return {
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await reading;
    },
  };
}
