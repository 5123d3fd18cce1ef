import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Status } from '../../../core/domains/status.ts';
import type { Appearance } from '../../../core/look/status-look.ts';
import { HOPS, type Hop } from '../../../core/public-path/public-path.ts';
import type { Diagnosis } from '../../../schema/diagnosis.ts';
import { CauseBox } from '../parts/cause.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { ShownState } from '../parts/pill.tsx';
import { askApi, type PageScope, useScope } from '../scope.ts';
import { RequestError, sentencesOf } from '../send.ts';
import { SinceText } from '../times.tsx';

/** Statuses in which the page runs a diagnosis without a click. A diagnosis queries many servers and takes up to 20 seconds. */
const BY_ITSELF: readonly Status[] = ['pending_dns', 'dns_broken', 'cert_failed'];

/**
 * Checks all DNS records of a domain. Returns the latest result of this tab, and why there is no newer one.
 * @param path the path of the diagnosis.
 */
export function useDiagnosis(path: string, status: Status) {
  const { app, mode } = useScope();
  const runsByItself = BY_ITSELF.includes(status);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['diagnosis', app.id, mode, path, runsByItself],
    queryFn: () => diagnose({ app, mode }, path),
    enabled: runsByItself,
    placeholderData: keepPreviousData,
    refetchInterval: false,
    staleTime: 'static',
  });
  return {
    diagnosis: data?.diagnosis ?? null,
    problem: isFetching ? '' : error === null ? (data?.problem ?? '') : sentencesOf(error).join(' '),
    hasFailed: error !== null,
    isRunning: isFetching,
    repeat: () => void (isFetching || refetch()),
  };
}

/** Runs a diagnosis. A domain can be diagnosed once in 15 seconds. Within this time, returns the last diagnosis of this tab. */
async function diagnose(
  scope: Pick<PageScope, 'app' | 'mode'>,
  path: string,
): Promise<{ diagnosis: Diagnosis | null; problem: string }> {
  const keptAt = `diagnosis ${scope.app.id} ${scope.mode} ${path}`;
  try {
    const diagnosis = await askApi<Diagnosis>(scope, `GET ${path}`);
    sessionStorage.setItem(keptAt, JSON.stringify(diagnosis));
    return { diagnosis, problem: '' };
  } catch (thrown) {
    if (!(thrown instanceof RequestError && thrown.code === 'rate_limited')) throw thrown;
    const problem = `This domain was checked a moment ago. You can check again in ${thrown.retryAfterS} s.`;
    return { diagnosis: JSON.parse(sessionStorage.getItem(keptAt) ?? 'null'), problem };
  }
}

/** Shows a check, and the findings that the page does not show above it. */
export function Diagnose(input: {
  check: ReturnType<typeof useDiagnosis>;
  findings: Diagnosis['findings'];
}): ReactElement {
  const { diagnosis, problem, hasFailed, isRunning, repeat } = input.check;
  return (
    <Section
      title="All checks"
      aside={
        <button type="button" aria-disabled={isRunning || undefined} onClick={repeat}>
          {isRunning ? 'Checking…' : diagnosis === null ? 'Diagnose' : 'Diagnose again'}
        </button>
      }
    >
      <div role="status" className="stack">
        {problem === '' ? null : <p className={hasFailed ? 'bad-text' : 'muted'}>{problem}</p>}
        {diagnosis !== null ? (
          <Result of={diagnosis} findings={input.findings} />
        ) : (
          <p className="muted">
            {isRunning
              ? 'Asking the name servers. This takes up to 20 seconds.'
              : 'Looks up every record that the domain depends on.'}
          </p>
        )}
      </div>
    </Section>
  );
}

function hopText(hop: string): string {
  return Object.hasOwn(HOPS, hop) ? HOPS[hop as Hop] : hop;
}

function verdictOf({ healthy }: Diagnosis): Appearance {
  if (healthy === null) return { words: 'Waiting may be enough', tone: 'wait', icon: 's-wait' };
  return healthy
    ? { words: 'Nothing has to change', tone: 'good', icon: 's-active' }
    : { words: 'Something has to change', tone: 'bad', icon: 's-broken' };
}

const SEVERITY_LOOKS = {
  error: { tone: 'bad', icon: 's-broken' },
  warning: { tone: 'wait', icon: 'warn' },
  info: { tone: 'quiet', icon: 'info' },
} as const;

function Result({ of, findings }: { of: Diagnosis; findings: Diagnosis['findings'] }): ReactElement {
  return (
    <>
      <p>
        <ShownState {...verdictOf(of)} />
      </p>
      <Facts
        of={[
          ['Checked', of.checked_at && <SinceText at={of.checked_at} />],
          ['DNS provider', of.provider?.name ?? null],
          [
            'Path',
            of.path && `${hopText(of.path.hop)}${of.path.addresses.map((each) => `, ${each}`).join('')}`,
          ],
          ['Name servers', of.name_servers.length === 0 ? null : of.name_servers.join(', ')],
        ]}
      />
      {findings.map((finding) => (
        <CauseBox key={finding.code} of={finding} {...SEVERITY_LOOKS[finding.severity]} />
      ))}
      {of.issuance_lock.length === 0 ? null : (
        <details>
          <summary>Let only this service order certificates</summary>
          <p>
            These optional CAA records also apply to hostnames below this one that have none of their own. Do
            not add them if another service obtains certificates there.
          </p>
          <ul>
            {of.issuance_lock.map(({ name, type, value }) => (
              <li key={value}>
                <code>
                  {name} {type} {value}
                </code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {of.lookups.length === 0 ? null : (
        <details>
          <summary>{of.lookups.length} lookups</summary>
          <ul className="plain">
            {of.lookups.map((lookup) => (
              <li className="row-link" key={`${lookup.asked} ${lookup.server} ${lookup.name} ${lookup.type}`}>
                <code className="row-main">
                  {lookup.type} {lookup.name}
                </code>
                <span className="muted">{lookup.server}</span>
                <span>{lookup.failure ?? lookup.outcome}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
