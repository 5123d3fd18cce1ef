import type { ReactElement } from 'react';
import { Facts, Section } from '../parts/facts.tsx';
import { Pill } from '../parts/pill.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { Table } from '../parts/table.tsx';
import { LIVE_MODE_REFUSALS, useScope } from '../scope.ts';
import { SinceText } from '../times.tsx';
import { BillingScreen } from './billing.tsx';

/** Shows the account's plan, its usage and what the other plans include. */
export function PlanPage(): ReactElement {
  const { account } = useScope();
  const { usage, plans, live_mode_refusal: refusal } = account;
  return (
    <ViewPage of="plan">
      {account.suspended ? (
        <p className="verdict bad">The account is suspended. Changes are paused, and domains keep serving.</p>
      ) : null}
      <Section title="Usage">
        <label className="usage">
          <span>
            {usage.live_domains.toLocaleString('en')} of {usage.limit.toLocaleString('en')} live domains
          </span>
          <meter min={0} max={usage.limit} high={usage.limit * 0.9} value={usage.live_domains} />
        </label>
        <Facts
          of={[
            [
              'Plan',
              <span key="plan" className="actions">
                {account.plan}
                {account.on_trial ? <Pill tone="work">trial</Pill> : null}
                {account.promotional ? <Pill tone="quiet">promotional</Pill> : null}
              </span>,
            ],
            ['Included', `${usage.included.toLocaleString('en')} live domains`],
            [
              'Trial ends',
              account.on_trial && account.trial_ends_at && <SinceText at={account.trial_ends_at} />,
            ],
            ['Card', account.card_on_file ? 'on file' : 'none'],
            ['Live mode', refusal === null ? 'available' : LIVE_MODE_REFUSALS[refusal]],
          ]}
        />
      </Section>
      <Section title="Plans">
        <Table
          caption="What each plan includes"
          rows={plans}
          keyOf={({ name }) => name}
          columns={[
            [
              'Plan',
              ({ name }) => (
                <>
                  {name} {name === account.plan ? <Pill tone="good">yours</Pill> : null}
                </>
              ),
            ],
            ['Included domains', ({ included }) => included.toLocaleString('en')],
            ['At most', ({ limit }) => limit.toLocaleString('en')],
            ['Live keys', ({ live_keys }) => (live_keys ? 'yes' : 'no')],
            ['White label', ({ whitelabel }) => (whitelabel ? 'yes' : 'no')],
            ['Origin per domain', ({ per_domain_origin }) => (per_domain_origin ? 'yes' : 'no')],
          ]}
        />
        {account.billing.provider === 'none' ? (
          <p className="muted">To change the plan, write to the operator of this service.</p>
        ) : null}
      </Section>
      {account.billing.provider === 'none' ? null : <BillingScreen />}
    </ViewPage>
  );
}
