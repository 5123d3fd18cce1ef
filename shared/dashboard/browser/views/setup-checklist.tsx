import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { AppResource } from '../../../schema/app.ts';
import type { AppOverview, ModeOverview } from '../../responses.ts';
import type { DashboardView } from '../navigation.ts';
import { Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { useScope, useViewPath } from '../scope.ts';

interface Step {
  words: string;
  hint: string;
  isDone: boolean;
  view: DashboardView;
}

/** Lists the steps from sign-up to the first live domain. Shows nothing once all steps are done. */
export function SetupChecklist({
  overview,
  app,
}: {
  overview: AppOverview;
  app: AppResource;
}): ReactElement | null {
  const viewPath = useViewPath();
  const { account, session } = useScope();
  const steps = stepsOf(overview, app, session.open || account.live_mode_refusal === null);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section title="Setup" aside={<span className="muted">{`${done} of ${steps.length} done`}</span>}>
      <ol className="plain checklist">
        {steps.map(({ words, hint, isDone, view }) => (
          <li key={words} className={isDone ? 'done' : undefined}>
            <span className="check-mark">
              {isDone ? <Icon name="check" /> : null}
              <span className="hidden">{isDone ? 'Done:' : 'To do:'}</span>
            </span>
            <span>
              <Link href={viewPath(view)}>{words}</Link>
              {isDone ? null : <span className="muted step-hint">{hint}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Section>
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
      isDone: countOf(test) + countOf(live) > 0,
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

function countOf({ by_status }: ModeOverview): number {
  return Object.values(by_status).reduce((total, count) => total + count, 0);
}
