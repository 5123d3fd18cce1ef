import { isDefinite } from '../../shared/core/dns/dns-confirmation.ts';
import type { Dns } from '../../shared/ports/dns.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import type { SurveyDone } from './measured-dns.ts';

/** Tracks whether any DNS resolver answers. While none does, no domain becomes verified or broken. */
export interface ResolverWatch {
  /** Takes the result of a survey. */
  saw(survey: Pick<SurveyDone, 'resolvers'>): void;
  /** Returns whether a resolver answers, as far as the surveys show. */
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
 * Watches the resolvers. Dead name servers of a customer's zone look like dead resolvers. So if a survey gets no answer, the watch asks the
 * resolvers for a name that always exists. It logs when all resolvers have stopped answering and when one answers again, once for all
 * domains.
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
      // Many zones may be dead at once, so one check covers all of them.
      else if (resolvers === 'unanswered' && answering && clock.now() - askedAt >= everyMs) void ask();
    },
    answering: () => answering,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** A name that every resolver can look up, even if a customer's zone is dead. */
export const ALWAYS_THERE = 'com';
