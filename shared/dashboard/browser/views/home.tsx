import type { ReactElement } from 'react';
import type { Status } from '../../../core/domains/status.ts';
import type { DomainList } from '../../../schema/domain.ts';
import type { AppOverview, ModeOverview } from '../../responses.ts';
import { useResource } from '../ask.ts';
import { Empty, Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { cappedCount } from '../parts/list-head.tsx';
import { Pill, ShownStatus } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { SAME_BY } from '../same-by.ts';
import { useApi, useScope, useViewPath } from '../scope.ts';
import { SinceText } from '../times.tsx';
import { useApp } from '../use-app.ts';
import { SetupChecklist } from './setup-checklist.tsx';
import { AppTrafficSection } from './traffic.tsx';

/** Statuses of domains that need attention. */
const FAILING = ['dns_broken', 'cert_failed', 'held'] as const satisfies readonly Status[];
const TILES: readonly (readonly [word: string, statuses: readonly Status[], filter: string])[] = [
  ['active', ['active'], 'active'],
  ['waiting for DNS', ['pending_dns'], 'pending_dns'],
  ['issuing', ['verifying', 'issuing'], ''],
  ['broken', ['dns_broken'], 'dns_broken'],
  ['no certificate', ['cert_failed'], 'cert_failed'],
];
const DOMAINS_SHOWN = 5;

/** Shows the first page of an app: the remaining setup steps, and the failing domains and webhooks. */
export function Home(): ReactElement | null {
  const { app, mode, account } = useScope();
  const { value: overview, error } = useResource<AppOverview>(`/apps/${encodeURIComponent(app.id)}/overview`);
  const { value: settings } = useApp();
  if (overview === null) return error === null ? null : <Empty title={error.message} />;
  const current = overview[mode];
  return (
    <div className="page">
      <h2>Home</h2>
      {account.suspended ? (
        <p className="verdict bad">
          The account is suspended. Changes are paused, and your domains keep serving.
        </p>
      ) : null}
      {settings === null ? null : <SetupChecklist overview={overview} app={settings} />}
      <Counts of={current} />
      <Failing of={current} />
      <AppTrafficSection />
      <SameByApi of={SAME_BY.home} />
    </div>
  );
}

function Counts({ of: { by_status: counts } }: { of: ModeOverview }): ReactElement {
  const viewPath = useViewPath();
  return (
    <div className="counts">
      {TILES.map(([word, statuses, filter]) => (
        <Link key={word} className="tile" href={viewPath('domains', null, { status: filter })}>
          <span className="tile-number">{cappedCount(sum(counts, statuses))}</span>
          <span className="muted">{word}</span>
        </Link>
      ))}
    </div>
  );
}

function sum(counts: ModeOverview['by_status'], statuses: readonly Status[]): number {
  return statuses.reduce((total, status) => total + (counts[status] ?? 0), 0);
}

/** Lists domains and webhooks that fail, or says that there are none. */
function Failing({ of }: { of: ModeOverview }): ReactElement {
  const viewPath = useViewPath();
  const failing = FAILING.filter((status) => (of.by_status[status] ?? 0) > 0);
  const deliveries = of.failed_deliveries_24h;
  return (
    <Section title="Needs your attention">
      {failing.length === 0 && deliveries === 0 ? (
        <p>
          <Pill tone="good">all good</Pill> No domain and no webhook is failing.
        </p>
      ) : null}
      {deliveries === 0 ? null : (
        <p>
          <Pill tone="bad">webhook</Pill>{' '}
          <Link href={viewPath('events', null, { delivery: 'failed' })}>
            {deliveries === 1 ? '1 delivery' : `${cappedCount(deliveries)} deliveries`} failed
          </Link>{' '}
          in the last 24 hours.
        </p>
      )}
      {failing.map((status) => (
        <FailingDomains key={status} status={status} count={of.by_status[status] ?? 0} />
      ))}
    </Section>
  );
}

function FailingDomains({ status, count }: { status: Status; count: number }): ReactElement {
  const viewPath = useViewPath();
  const { value } = useApi<DomainList>(`/domains?status=${status}&limit=${DOMAINS_SHOWN}`);
  return (
    <ul className="plain">
      {value?.data.map((domain) => (
        <li key={domain.id}>
          <Link className="row-link" href={viewPath('domains', domain.id)}>
            <span className="row-main">{domain.hostname}</span>
            <ShownStatus status={domain.status} hasCertificate={domain.certificate !== null} />
            <span className="muted">{domain.status_reason}</span>
            <span className="row-time">
              <SinceText at={domain.updated_at} />
            </span>
          </Link>
        </li>
      ))}
      {count > DOMAINS_SHOWN ? (
        <li>
          <Link className="row-link" href={viewPath('domains', null, { status })}>
            All {cappedCount(count)} in {status}
          </Link>
        </li>
      ) : null}
    </ul>
  );
}
