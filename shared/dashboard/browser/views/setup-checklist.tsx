import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { AppResource } from '../../../schema/app.ts';
import type { AppOverview } from '../../responses.ts';
import type { DashboardView } from '../navigation.ts';
import { Link } from '../parts/link.tsx';
import { domainCount, useScope, useViewPath } from '../scope.ts';

interface Step {
  words: string;
  hint: string;
  isDone: boolean;
  view: DashboardView;
}

const STORAGE_KEY = 'dashboard-setup';

/**
 * Lists the steps from sign-up to the first live domain. Once the app has a domain, shows only the next step, in a line that the person can
 * hide. Shows nothing once all steps are done.
 */
export function SetupChecklist(input: { overview: AppOverview; app: AppResource }): ReactElement | null {
  const { overview, app } = input;
  const viewPath = useViewPath();
  const { account, session } = useScope();
  const [isHidden, setHidden] = useState(localStorage.getItem(STORAGE_KEY) === app.id);
  const steps = stepsOf(overview, app, session.open || account.live_mode_refusal === null);
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  if (domainCount(overview.live) + domainCount(overview.test) > 0) {
    if (isHidden) return null;
    return (
      <section className="box note">
        <h2>Setup</h2>
        <span className="ticks" aria-hidden="true">
          {steps.map(({ words }, place) => (
            <i key={words} className={place < done ? 'on' : undefined} />
          ))}
        </span>
        <p className="muted">
          {done} of {steps.length} done. Next: <Link href={viewPath(next.view)}>{next.words}</Link>
        </p>
        <button
          type="button"
          className="btn bare"
          onClick={() => {
            localStorage.setItem(STORAGE_KEY, app.id);
            setHidden(true);
          }}
        >
          Hide<span className="hidden"> the setup</span>
        </button>
      </section>
    );
  }
  return (
    <section className="box">
      <header>
        <h2>Set up {app.name}</h2>
        <span className="right muted">
          {done} of {steps.length} done
        </span>
      </header>
      <ol className="checklist">
        {steps.map(({ words, hint, isDone, view }) => (
          <li key={words} className={isDone ? 'good' : 'quiet'}>
            <Icon name={isDone ? 's-active' : 's-none'} />
            <span className="hidden">{isDone ? 'Done:' : 'To do:'}</span>
            <Link href={viewPath(view)}>{words}</Link>
            {isDone ? null : <span className="muted">{hint}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf(overview: AppOverview, app: AppResource, hasLiveMode: boolean): Step[] {
  const { live, test } = overview;
  return [
    {
      words: 'Call the API with a test key',
      hint: 'Create a key, and give it to your program.',
      isDone: overview.has_key_used,
      view: 'keys',
    },
    {
      words: 'Add a test domain',
      hint: 'It becomes active by itself within seconds.',
      isDone: domainCount(test) + domainCount(live) > 0,
      view: 'domains',
    },
    {
      words: 'Receive a webhook',
      hint: 'Set the address of your receiver, and send it a test event.',
      isDone: app.webhook_url !== null && overview.has_delivered_event,
      view: 'webhook',
    },
    {
      words: 'Set your origin',
      hint: 'Requests for your customers’ domains are forwarded to it.',
      isDone: app.origin_url !== null && app.origin_reachable,
      view: 'app',
    },
    {
      words: 'Unlock live mode',
      hint: 'Live keys and live domains need a plan, or a card during the trial.',
      isDone: hasLiveMode,
      view: 'plan',
    },
    {
      words: 'Connect the first live domain',
      hint: 'Add it, and send your customer its connect page.',
      isDone: (live.by_status.active ?? 0) > 0,
      view: 'domains',
    },
  ];
}
