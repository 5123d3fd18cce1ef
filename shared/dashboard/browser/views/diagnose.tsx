import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Status } from '../../../core/domains/status.ts';
import type { Tone } from '../../../core/look/status-look.ts';
import { HOPS, type Hop } from '../../../core/public-path/public-path.ts';
import type { Diagnosis } from '../../../schema/diagnosis.ts';
import { FindingList } from '../parts/domain-facts.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { Pill } from '../parts/pill.tsx';
import { askApi, type PageScope, useScope } from '../scope.ts';
import { RequestError, sentencesOf } from '../send.ts';
import { SinceText } from '../times.tsx';

/** Statuses in which the page runs a diagnosis without a click. A diagnosis queries many servers and takes up to 20 seconds. */
const BY_ITSELF: readonly Status[] = ['pending_dns', 'dns_broken', 'cert_failed'];

/** Checks all DNS records of a domain, and lists the findings. @param path the path of the diagnosis. */
export function Diagnose({ path, status }: { path: string; status: Status }): ReactElement {
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
  const diagnosis = data?.diagnosis ?? null;
  const problem = isFetching ? '' : error === null ? (data?.problem ?? '') : sentencesOf(error).join(' ');

  return (
    <Section
      title="Diagnosis"
      aside={
        <button
          type="button"
          className="small-button"
          aria-disabled={isFetching || undefined}
          onClick={() => void (isFetching || refetch())}
        >
          {isFetching ? 'Checking…' : diagnosis === null ? 'Diagnose' : 'Diagnose again'}
        </button>
      }
    >
      <div role="status" className="stack">
        {problem === '' ? null : <p className={diagnosis === null ? 'bad-text' : 'muted'}>{problem}</p>}
        {diagnosis === null ? (
          isFetching ? (
            <p className="muted">Asking the name servers. This takes up to 20 seconds.</p>
          ) : (
            <p className="muted">Looks up every record that the domain depends on.</p>
          )
        ) : (
          <Result of={diagnosis} />
        )}
      </div>
    </Section>
  );
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

function hopText(hop: string): string {
  return Object.hasOwn(HOPS, hop) ? HOPS[hop as Hop] : hop;
}

function Result({ of }: { of: Diagnosis }): ReactElement {
  const [tone, words]: [Tone, string] =
    of.healthy === null
      ? ['wait', 'Waiting may be enough']
      : of.healthy
        ? ['good', 'Nothing has to change']
        : ['bad', 'Something has to change'];
  return (
    <>
      <p>
        <Pill tone={tone}>{words}</Pill>
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
      <FindingList of={of.findings} />
      {of.issuance_lock.length === 0 ? null : (
        <details>
          <summary>Let only this service order certificates</summary>
          <p>
            These optional CAA records also apply to hostnames below this one that have none of their own. Do
            not add them if another service obtains certificates there.
          </p>
          <ul className="plain">
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
