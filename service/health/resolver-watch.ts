import { isDefinite } from '../../shared/core/dns/dns-confirmation.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Dns } from '../../shared/ports/dns.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { SurveyDone } from './measured-dns.ts';

/** Whether any of the resolvers answers. While none does, no domain is verified, and none is broken either. */
export interface ResolverWatch {
  /** A survey ended. */
  saw(survey: Pick<SurveyDone, 'resolvers'>): void;
  /** As far as surveys have told. */
  answering(): boolean;
  close(): void;
}

export interface WatchedResolvers {
  dns: Pick<Dns, 'chain'>;
  /** Monotonic. */
  clock: Clock;
  log: Log;
  /** While none answers they are asked so often. */
  every_ms?: number;
}

/**
 * Servers of a customer's zone that are dead look like dead resolvers: where a survey learned nothing of these they are asked for a name
 * that is always there. It is logged when all of them have stopped answering and when one answers again, whatever the number of domains.
 */
export function watchResolvers({ dns, clock, log, every_ms = 30_000 }: WatchedResolvers): ResolverWatch {
  let answering = true;
  let asking = false;
  let asked_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function learn(now_answering: boolean): void {
    if (now_answering === answering) return;
    answering = now_answering;
    if (answering) log.warn({}, 'DNS resolvers answer again');
    else log.warn({}, 'none of the DNS resolvers answers: live domains stay as they are until one does');
  }

  async function ask(): Promise<void> {
    if (asking || closed) return;
    asking = true;
    clearTimeout(timer);
    try {
      const found = await dns.chain(ALWAYS_THERE);
      learn(found.some(isDefinite));
    } catch (error) {
      log.error({ error }, 'the DNS resolvers could not be asked');
    } finally {
      asked_at = clock.now();
      asking = false;
    }
    if (!answering && !closed) timer = setTimeout(() => void ask(), every_ms).unref();
  }

  return {
    saw({ resolvers }) {
      if (resolvers === 'told') learn(true);
      // Many zones may be dead at once, and resolvers are asked on behalf of all.
      else if (resolvers === 'untold' && answering && clock.now() - asked_at >= every_ms) void ask();
    },
    answering: () => answering,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Every resolver knows it, whatever becomes of a customer's zone. */
export const ALWAYS_THERE = 'com';
