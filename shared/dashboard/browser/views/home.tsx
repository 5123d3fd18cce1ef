import type { ReactElement } from 'react';
import { STATUS_LOOKS } from '../../../core/look/status-look.ts';
import type { ModeOverview } from '../../responses.ts';
import { Link } from '../parts/link.tsx';
import { cappedCount } from '../parts/list-head.tsx';
import { NotLoaded } from '../parts/loaded.tsx';
import { ShownState } from '../parts/pill.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import {
  domainCount,
  LISTED_STATUSES,
  useApp,
  useCan,
  useOverview,
  useScope,
  useViewPath,
} from '../scope.ts';
import { Attention } from './attention.tsx';
import { LatestEvents } from './latest-events.tsx';
import { SetupChecklist } from './setup-checklist.tsx';
import { AppTrafficSection } from './traffic.tsx';

/** Shows the first page of an app: what needs a change, then the statuses of all domains, the traffic, the latest events and the setup. */
export function Home(): ReactElement {
  const { app, mode, account } = useScope();
  const { value: overview, error } = useOverview(app.id);
  const { value: settings } = useApp();
  if (overview === null) return <NotLoaded error={error} />;
  const setup = settings === null ? null : <SetupChecklist overview={overview} app={settings} />;
  const hasDomains = domainCount(overview.live) + domainCount(overview.test) > 0;
  return (
    <ViewPage of="home">
      {account.suspended ? (
        <p className="verdict bad">
          The account is suspended. Changes are paused, and your domains keep serving.
        </p>
      ) : null}
      {hasDomains ? (
        <>
          <Attention of={overview[mode]} />
          <Statuses of={overview[mode]} />
          <div className="two">
            <AppTrafficSection />
            <LatestEvents />
          </div>
          {setup}
        </>
      ) : (
        setup
      )}
    </ViewPage>
  );
}

/** Shows the number of domains in each status, as a bar and as links. */
function Statuses({ of }: { of: ModeOverview }): ReactElement {
  const { mode } = useScope();
  const viewPath = useViewPath();
  const mayAdd = useCan('developer');
  const total = domainCount(of);
  const shown = LISTED_STATUSES.flatMap((status) => {
    const count = of.by_status[status] ?? 0;
    return count === 0 ? [] : [{ status, count, look: STATUS_LOOKS[status] }];
  });
  return (
    <section className="box">
      <header>
        <h2>
          {total === 0
            ? `No ${mode} domains yet`
            : `${cappedCount(total)} ${mode} ${total === 1 ? 'domain' : 'domains'}`}
        </h2>
        {total > 0 || mayAdd ? (
          <Link href={viewPath('domains')}>{total === 0 ? 'Add one' : 'Show all'}</Link>
        ) : null}
      </header>
      {total === 0 ? null : (
        <div className="in">
          <div className="strip" aria-hidden="true">
            {shown.map(({ status, count, look }) => (
              <i key={status} className={look.tone} style={{ flexGrow: count }} />
            ))}
          </div>
          <ul className="status-counts">
            {shown.map(({ status, count, look }) => (
              <li key={status}>
                <Link href={viewPath('domains', null, { status })}>
                  <b className="num">{cappedCount(count)}</b>
                  <ShownState {...look} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
