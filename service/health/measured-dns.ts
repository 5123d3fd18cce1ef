import type { Dns, SurveyDepth } from '../../shared/ports/dns.ts';
import type { Clock } from '../../shared/ports/system.ts';

/** The measured results of one DNS survey of a hostname. */
export interface SurveyDone {
  depth: SurveyDepth;
  durationMs: number;
  /** Resolvers that gave no usable answer. Excludes resolvers that block the name. */
  unanswered: readonly string[];
  /** `answered` if at least one resolver gave an answer; null if the survey asked no resolver. */
  resolvers: 'answered' | 'unanswered' | null;
}

/** Wraps a `Dns` and reports each survey. @param clock a monotonic clock. */
export function measuredDns(dns: Dns, clock: Clock, onSurvey: (done: SurveyDone) => void): Dns {
  return {
    ...dns,
    async survey(expectation, depth, rivals) {
      const startedAt = clock.now();
      const survey = await dns.survey(expectation, depth, rivals);
      const views = [...survey.resolvers, ...(survey.replaced ?? [])];
      const unanswered = views
        .filter(({ a }) => a.outcome === 'unknown' && a.failure !== 'blocked')
        .map(({ server }) => server);
      const asked = views.length;
      const resolvers = asked === 0 ? null : unanswered.length < asked ? 'answered' : 'unanswered';
      onSurvey({ depth, durationMs: clock.now() - startedAt, unanswered, resolvers });
      return survey;
    },
  };
}
