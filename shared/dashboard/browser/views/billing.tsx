import { type ReactElement, useEffect } from 'react';
import type { PlanName } from '../../../core/accounts/plan.ts';
import type { BillingPage, BillingView, PlanPreview } from '../../responses.ts';
import { ask, useResource } from '../ask.ts';
import { notify, notifyError } from '../notices.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { CommandButton, DialogForm } from '../parts/forms.tsx';
import { NotLoaded } from '../parts/loaded.tsx';
import { Pill } from '../parts/pill.tsx';
import { refresh } from '../reading.ts';
import { go, useAddress } from '../router.ts';
import { useCan, useScope } from '../scope.ts';
import { SinceText } from '../times.tsx';

/** Shows the card and the subscription. An owner adds a card, sees invoices, and chooses a plan. */
export function BillingScreen(): ReactElement {
  const { account } = useScope();
  const path = `/accounts/${encodeURIComponent(account.id)}/billing`;
  const { value, error } = useResource<BillingView>(path);
  const mayChange = useCan('owner');
  useReturn(path);
  return (
    <Section title="Billing">
      {value === null ? (
        <NotLoaded error={error} />
      ) : (
        <>
          <PaymentState of={value} />
          <Facts
            of={[
              ['Card', value.card === null ? 'none' : cardText(value.card)],
              ['Subscription', value.paid_plan ?? 'none'],
              [
                value.ends_with_period ? 'Ends' : 'Renews',
                value.period_ends_at && <SinceText at={value.period_ends_at} />,
              ],
              ['Chosen next', value.plan_asked],
            ]}
          />
          {mayChange ? <Acts path={path} of={value} plan={account.plan} /> : null}
        </>
      )}
    </Section>
  );
}

function PaymentState({ of }: { of: BillingView }): ReactElement | null {
  const { payment_failed_at: failedAt, suspends_at: suspendsAt } = of;
  if (failedAt === null) return null;
  return (
    <p className="verdict bad" role="status">
      <Pill tone="bad">payment failed</Pill> <SinceText at={failedAt} />. Use another card.
      {suspendsAt === null ? null : (
        <>
          {' '}
          Otherwise changes are paused <SinceText at={suspendsAt} />. Domains keep serving.
        </>
      )}
    </p>
  );
}

function Acts({ path, of, plan }: { path: string; of: BillingView; plan: PlanName }): ReactElement {
  return (
    <>
      <div className="actions">
        <CommandButton work={() => leaveFor(`${path}/card`)}>
          {of.card === null ? 'Add a card' : 'Use another card'}
        </CommandButton>
        {of.card === null ? null : (
          <CommandButton work={() => leaveFor(`${path}/portal`)}>Invoices and cards</CommandButton>
        )}
      </div>
      <ul className="plain actions" aria-label="Choose a plan">
        {of.choices
          .filter((each) => each !== (of.paid_plan ?? plan) || of.ends_with_period)
          .map((each) => (
            <li key={each}>
              <DialogForm
                word={`Choose ${each}…`}
                title={`Choose the plan ${each}?`}
                submit={`Choose ${each}`}
                work={async () => {
                  await ask<BillingView>(`POST ${path}/plan`, { plan: each });
                  return `You chose the plan ${each}.`;
                }}
              >
                <Preview path={path} plan={each} />
              </DialogForm>
            </li>
          ))}
      </ul>
    </>
  );
}

/** Shows what choosing a plan will change, before the person confirms. */
function Preview({ path, plan }: { path: string; plan: PlanName }): ReactElement {
  const { value, error } = useResource<PlanPreview>(`${path}/preview?plan=${plan}`);
  if (value === null) return <NotLoaded error={error} />;
  const { takes_effect_at: at, limit, domains, domains_over_limit: over, lost } = value;
  return (
    <>
      <p>
        The limit of live domains changes from {limit.from.toLocaleString('en')} to{' '}
        {limit.to.toLocaleString('en')}. You have {domains.toLocaleString('en')}.
      </p>
      {over > 0 ? (
        <p>
          {over.toLocaleString('en')} are over the new limit. They keep serving, and you can add none until
          you are below it.
        </p>
      ) : null}
      {lost.length === 0 ? null : (
        <ul>
          {lost.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      )}
      <p className="muted">
        {at === null ? 'It takes effect at once.' : 'It takes effect when the paid period ends: '}
        {at === null ? null : <SinceText at={at} />}
      </p>
    </>
  );
}

/** Opens a page of the billing provider, if its address is https. */
async function leaveFor(call: string): Promise<string> {
  const { url } = await ask<BillingPage>(`POST ${call}`, {});
  if (!/^https?:\/\//.test(url)) throw new Error('the provider returned no address');
  location.assign(url);
  return 'Opening the page of the payment provider…';
}

/** Requests the billing provider's state when the browser returns after saving a card, because the provider's event can come later. */
function useReturn(path: string): void {
  const address = useAddress();
  const card = address.query.get('card');
  useEffect(() => {
    if (card === null) return;
    go(address.path, true);
    if (card !== 'saved') return;
    ask<BillingView>(`POST ${path}/sync`, {}).then(() => {
      notify('The card is saved.');
      void refresh();
    }, notifyError);
  }, [card, path, address.path]);
}

function cardText({ brand, last4, exp_month, exp_year }: NonNullable<BillingView['card']>): string {
  return `${brand} ending in ${last4}, valid until ${String(exp_month).padStart(2, '0')}/${exp_year}`;
}
