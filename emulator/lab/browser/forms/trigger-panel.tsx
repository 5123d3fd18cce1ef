import { type ReactElement, type ReactNode, useState } from 'react';
import { targetOf } from '../../../../shared/core/domains/state-edges.ts';
import type { TriggerName } from '../../../../shared/core/domains/transitions.ts';
import { REASON_CODES, REASONS, type ReasonGroup } from '../../../../shared/core/reasons.ts';
import { hasValidCertificate } from '../../../../shared/dashboard/browser/page-clock.ts';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { OutLink } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { ShownStatus } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { useScope } from '../../../../shared/dashboard/browser/scope.ts';
import type { InspectedDomain } from '../../responses.ts';
import { askEmulator } from '../ask.ts';

/**
 * The triggers that have no button in this panel. `create` and `recreate` need more parameters, and the page has a delete button elsewhere.
 */
const NOT_BY_HAND: readonly TriggerName[] = ['create', 'recreate', 'delete'];
/** The triggers that take a reason, and the group of their reasons. */
const REASON_GROUPS: Partial<Record<TriggerName, ReasonGroup>> = {
  dns_gone: 'dns',
  issuance_failed: 'ca',
  renewal_failed: 'ca',
};

/** Shows a button for each possible trigger of a domain, with the status that follows. */
export function TriggerPanel({ of, children }: { of: InspectedDomain; children: ReactNode }): ReactElement {
  const { session } = useScope();
  const { domain, possible, status_before_hold } = of;
  const [reason, setReason] = useState('');
  const hasCertificate = hasValidCertificate(domain);
  const to = (name: TriggerName) => targetOf(name, domain.status, status_before_hold, hasCertificate);
  const buttons = possible.filter((name) => !NOT_BY_HAND.includes(name));
  const groups = new Set(buttons.flatMap((name) => REASON_GROUPS[name] ?? []));

  async function trigger(name: TriggerName): Promise<string> {
    const group = REASON_GROUPS[name];
    const fits = REASON_CODES.some((code) => code === reason && REASONS[code].group === group);
    const body = { trigger: name, ...(fits && { reason }) };
    const { domain: now } = await askEmulator<Pick<InspectedDomain, 'domain'>>(
      `POST /domains/${encodeURIComponent(domain.id)}/trigger`,
      body,
    );
    return `${domain.hostname} is ${now.status}.`;
  }

  return (
    <Section title="Make something happen">
      {buttons.length === 0 ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form
        <div className="triggers" role="group" aria-label="Possible triggers">
          {buttons.map((name) => (
            <CommandButton key={name} className="btn" work={() => trigger(name)}>
              <code>{name}</code>
              <span className="hidden">, then</span>
              <ShownStatus status={to(name)} hasCertificate={hasCertificate} />
            </CommandButton>
          ))}
        </div>
      )}
      {groups.size === 0 ? null : (
        <label className="inline">
          Reason for a failure
          <select value={reason} onChange={(event) => setReason(event.target.value)}>
            <option value="">default</option>
            {[...groups].map((group) => (
              <optgroup key={group} label={GROUP_WORDS[group] ?? group}>
                {REASON_CODES.filter((code) => REASONS[code].group === group).map((code) => (
                  <option key={code} value={code}>
                    {code}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
      )}
      <p>
        <OutLink href={`${session.docs_url}/states`}>All states and triggers</OutLink>
      </p>
      {children}
    </Section>
  );
}

const GROUP_WORDS: Partial<Record<ReasonGroup, string>> = { dns: 'DNS', ca: 'Certificate' };
