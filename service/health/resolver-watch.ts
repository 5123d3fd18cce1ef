import { isDefinite } from '../../shared/core/dns/dns-confirmation.ts';
import type { Dns } from '../../shared/ports/dns.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import type { SurveyDone } from './measured-dns.ts';

/** Tracks whether any DNS resolver answers. While no resolver answers, no domain changes its status by a DNS check. */
export interface ResolverWatch {
  /** Call with the result of each DNS survey. */
  saw(survey: Pick<SurveyDone, 'resolvers'>): void;
  /** Returns false if, as far as this watch knows, no resolver answers. */
  answering(): boolean;
  close(): void;
}

export interface WatchedResolvers {
  dns: Pick<Dns, 'chain'>;
  /** A monotonic clock. */
  clock: Clock;
  log: Log;
  /** Interval of the checks while no resolver answers. */
  everyMs?: number;
}

/**
 * Watches the resolvers. In a survey, unreachable name servers of a customer's zone look like unreachable resolvers. If a survey gets no
 * answer, the watch therefore asks the resolvers for a name that always exists. It logs when no resolver answers any more, and when one
 * answers again.
 */
export function watchResolvers({ dns, clock, log, everyMs = 30_000 }: WatchedResolvers): ResolverWatch {
  let answering = true;
  let asking = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function learn(nowAnswering: boolean): void {
    if (nowAnswering === answering) return;
    answering = nowAnswering;
    if (answering) log.warn({}, 'the DNS resolvers answer again');
    else log.warn({}, 'no DNS resolver answers; live domains keep their status until one does');
  }

  async function ask(): Promise<void> {
    if (asking || closed) return;
    asking = true;
    clearTimeout(timer);
    try {
      const found = await dns.chain(ALWAYS_THERE);
      learn(found.some(isDefinite));
    } catch (error) {
      log.error({ error }, 'could not query the DNS resolvers');
    } finally {
      askedAt = clock.now();
      asking = false;
    }
    if (!answering && !closed) timer = setTimeout(() => void ask(), everyMs).unref();
  }

  return {
    saw({ resolvers }) {
      if (resolvers === 'answered') learn(true);
      // One check is enough for many zones whose name servers are unreachable at the same time.
      else if (resolvers === 'unanswered' && answering && clock.now() - askedAt >= everyMs) void ask();
    },
    answering: () => answering,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** A name that every working resolver can look up, independent of any customer's zone. */
export const ALWAYS_THERE = 'com';
