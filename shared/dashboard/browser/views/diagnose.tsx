import { type ReactElement, useEffect, useState } from 'react';
import type { Status } from '../../../core/domains/status.ts';
import { HOPS, type Hop } from '../../../core/public-path/public-path.ts';
import type { Diagnosis } from '../../../schema/diagnosis.ts';
import { FindingList } from '../parts/domain-facts.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { Pill } from '../parts/pill.tsx';
import { askApi, useScope } from '../scope.ts';
import { RequestError, sentencesOf } from '../send.ts';
import { SinceText } from '../times.tsx';
import type { Tone } from '../tones.ts';

/** Statuses in which the page diagnoses by itself. A diagnosis asks many servers and takes up to 20 seconds. */
const BY_ITSELF: readonly Status[] = ['pending_dns', 'dns_broken', 'cert_failed'];

/** Checks all DNS records of a domain, and lists the findings. @param path of the diagnosis. */
export function Diagnose({ path, status }: { path: string; status: Status }): ReactElement {
  const { app, mode } = useScope();
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  // A domain can be diagnosed once in 15 seconds. After a reload within them, the page shows the last diagnosis of this tab.
  const keptAt = `diagnosis ${app} ${mode} ${path}`;
  const runsByItself = BY_ITSELF.includes(status);

  async function run(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      const made = await askApi<Diagnosis>({ app, mode }, `GET ${path}`);
      setDiagnosis(made);
      sessionStorage.setItem(keptAt, JSON.stringify(made));
    } catch (thrown) {
      if (thrown instanceof RequestError && thrown.code === 'rate_limited') {
        const kept = sessionStorage.getItem(keptAt);
        if (kept !== null) setDiagnosis(JSON.parse(kept));
        setProblem(`This domain was checked a moment ago. You can check again in ${thrown.retryAfterS} s.`);
      } else setProblem(sentencesOf(thrown).join(' '));
    } finally {
      setBusy(false);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the domain gets such a status
  useEffect(() => {
    if (runsByItself) void run();
  }, [path, runsByItself]);

  return (
    <Section
      title="Diagnosis"
      aside={
        <button
          type="button"
          className="small-button"
          aria-disabled={busy || undefined}
          onClick={() => void run()}
        >
          {busy ? 'Checking…' : diagnosis === null ? 'Diagnose' : 'Diagnose again'}
        </button>
      }
    >
      <div role="status" className="stack">
        {problem === '' ? null : <p className={diagnosis === null ? 'bad-text' : 'muted'}>{problem}</p>}
        {diagnosis === null ? (
          busy ? (
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

function hopText(hop: string): string {
  return Object.hasOwn(HOPS, hop) ? HOPS[hop as Hop] : hop;
}

function Result({ of }: { of: Diagnosis }): ReactElement {
  const [tone, words]: [Tone, string] =
    of.healthy === null
      ? ['waiting', 'Waiting may be enough']
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
