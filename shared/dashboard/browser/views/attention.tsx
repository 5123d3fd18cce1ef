import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { Status } from '../../../core/domains/status.ts';
import type { DomainList, DomainResource } from '../../../schema/domain.ts';
import type { EventList } from '../../../schema/event.ts';
import type { ModeOverview } from '../../responses.ts';
import { hasValidCertificate } from '../page-clock.ts';
import { Link } from '../parts/link.tsx';
import { cappedCount } from '../parts/list-head.tsx';
import { ReasonWords, ShownState, ShownStatus } from '../parts/pill.tsx';
import { useApi, useViewPath } from '../scope.ts';
import { TimeLabel } from '../times.tsx';

/** The statuses in which a domain stays until somebody acts, with the words after the number of such domains. */
const FAILING = [
  ['dns_broken', 'broken'],
  ['cert_failed', 'with a failed certificate'],
  ['held', 'on hold'],
] as const satisfies readonly (readonly [Status, string])[];
const DOMAINS_SHOWN = 5;

/** Returns the number of domains that need a change of a record. */
export function failingCount({ dns_broken = 0, cert_failed = 0 }: ModeOverview['by_status']): number {
  return dns_broken + cert_failed;
}

/** Lists domains and webhooks that fail, each with its cause and its fix. If nothing fails, says so in one line. */
export function Attention({ of }: { of: ModeOverview }): ReactElement {
  const viewPath = useViewPath();
  const failing = FAILING.filter(([status]) => (of.by_status[status] ?? 0) > 0);
  const deliveries = of.failed_deliveries_24h;
  const first = failing[0];
  if (first === undefined && deliveries === 0) {
    return (
      <section className="box note">
        <ShownState words="Nothing needs your attention" tone="good" icon="s-active" />
        <span className="muted">No domain is broken, and no webhook has failed in the last 24 hours.</span>
      </section>
    );
  }
  const parts = failing.map(([status, words], place) => {
    const count = of.by_status[status] ?? 0;
    return `${cappedCount(count)} ${place > 0 ? '' : count === 1 ? 'domain ' : 'domains '}${words}`;
  });
  if (deliveries > 0) parts.push(`${webhooksText(deliveries)} failed`);
  return (
    <section className="box alert" aria-labelledby="attention">
      <header>
        <Icon name="s-broken" />
        <h2 id="attention">Needs attention: {parts.join(', ')}</h2>
        <Link
          href={
            first === undefined
              ? viewPath('events', null, FAILED)
              : viewPath('domains', null, { status: first[0] })
          }
        >
          Show all
        </Link>
      </header>
      <ul className="alerts">
        {failing.map(([status]) => (
          <FailingDomains key={status} status={status} count={of.by_status[status] ?? 0} />
        ))}
        {deliveries > 0 ? <FailedWebhooks count={deliveries} /> : null}
      </ul>
    </section>
  );
}

function FailingDomains({ status, count }: { status: Status; count: number }): ReactElement {
  const viewPath = useViewPath();
  const { value } = useApi<DomainList>(`/domains?status=${status}&limit=${DOMAINS_SHOWN}`);
  if (value === null) return <Awaited count={Math.min(count, DOMAINS_SHOWN)} />;
  const newestFirst = value.data.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at));
  return (
    <>
      {newestFirst.map((domain) => (
        <Alert
          key={domain.id}
          href={viewPath('domains', domain.id)}
          name={domain.hostname}
          state={<ShownStatus status={domain.status} hasCertificate={hasValidCertificate(domain)} />}
          fix={fixOf(domain)}
          at={domain.updated_at}
        >
          {domain.status_reason === null ? null : <ReasonWords code={domain.status_reason} />}{' '}
          <span className="code-of">{domain.status_reason}</span>
        </Alert>
      ))}
    </>
  );
}

/** Shows the failed deliveries as one line, with the response of the newest one. */
function FailedWebhooks({ count }: { count: number }): ReactElement | null {
  const viewPath = useViewPath();
  const { value } = useApi<EventList>('/events?delivery=failed&limit=1');
  if (value === null) return <Awaited count={1} />;
  const newest = value.data[0];
  if (newest === undefined) return null;
  const { last_status_code: code, last_error: problem } = newest.delivery;
  return (
    <Alert
      href={viewPath('events', null, FAILED)}
      name={webhooksText(count)}
      state={<ShownState words="Not delivered" tone="bad" icon="s-broken" />}
      fix="Repair your receiver, then send the failed events again"
      at={newest.created_at}
    >
      {code === null ? 'Your receiver does not respond' : `Your receiver responds with ${code}`}{' '}
      <span className="code-of">{code === null ? problem : null}</span>
    </Alert>
  );
}

/** Keeps the place of lines that the page has requested, so that the sections below do not move. */
function Awaited({ count }: { count: number }): ReactElement[] {
  return Array.from({ length: count }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike
    <li key={place} className="awaited" aria-hidden="true" />
  ));
}

const FAILED = { delivery: 'failed' };

function Alert(props: {
  href: string;
  name: string;
  state: ReactNode;
  fix: ReactNode;
  at: string;
  /** The cause. */
  children: ReactNode;
}): ReactElement {
  return (
    <li>
      <Link href={props.href}>
        <span className="name" title={props.name}>
          {props.name}
        </span>
        {props.state}
        <span className="why">{props.children}</span>
        <span className="fix">{props.fix}</span>
        <TimeLabel at={props.at} />
        <Icon name="right" />
      </Link>
    </li>
  );
}

/** Returns the first change that fixes a domain. If no change of a record can, returns what to do. */
function fixOf({ status, status_detail: detail }: DomainResource): ReactNode {
  if (status === 'held') return 'Ask the operator of the service';
  const change = detail?.changes?.[0];
  if (change === undefined) return detail?.hint ?? null;
  const { action, type, name, zone, value, of } = change;
  if (of === null) {
    return (
      <>
        {action === 'remove' ? 'Delete' : 'Add'} {type} <code>{name}</code>
        {action === 'remove' ? ' ' : ' → '}
        <code>{value}</code> at {zone}
      </>
    );
  }
  return (
    <>
      Replace {of.type} <code>{name}</code> <code>{of.value}</code> with{' '}
      {of.type === type ? null : `${type} `}
      <code>{value}</code>
    </>
  );
}

function webhooksText(count: number): string {
  return count === 1 ? '1 webhook' : `${cappedCount(count)} webhooks`;
}
