import type { Clock } from '../../shared/ports/clock.ts';
import type { Dns, SurveyDepth } from '../../shared/ports/dns.ts';

/** One survey of a hostname. */
export interface SurveyDone {
  depth: SurveyDepth;
  duration_ms: number;
  /** The resolvers that could not tell: their look-ups say nothing about anybody's record. */
  untold: readonly string[];
  /** Whether any of them could tell; null where none was asked. */
  resolvers: 'told' | 'untold' | null;
}

/** The same DNS, each survey of which is told. @param clock monotonic. */
export function measuredDns(dns: Dns, clock: Clock, on_survey: (done: SurveyDone) => void): Dns {
  return {
    ...dns,
    async survey(expectation, depth) {
      const started_at = clock.now();
      const survey = await dns.survey(expectation, depth);
      const untold = survey.resolvers.filter(({ a }) => a.outcome === 'unknown').map(({ server }) => server);
      const asked = survey.resolvers.length;
      const resolvers = asked === 0 ? null : untold.length < asked ? 'told' : 'untold';
      on_survey({ depth, duration_ms: clock.now() - started_at, untold, resolvers });
      return survey;
    },
  };
}
