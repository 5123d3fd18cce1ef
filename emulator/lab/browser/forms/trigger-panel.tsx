import { type ReactElement, type ReactNode, useState } from 'react';
import { targetOf } from '../../../../shared/core/domains/state-edges.ts';
import type { TriggerName } from '../../../../shared/core/domains/transitions.ts';
import { REASON_CODES, REASONS, type ReasonGroup } from '../../../../shared/core/reasons.ts';
import { serverNow } from '../../../../shared/dashboard/browser/page-clock.ts';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import type { InspectedDomain } from '../../responses.ts';
import { askEmulator } from '../ask.ts';
import { StateMachine } from '../views/state-machine.tsx';

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

/** Shows the domain's status in a drawing of the state machine, with a button for each possible trigger. */
export function TriggerPanel({
  of,
  aside,
  children,
}: {
  of: InspectedDomain;
  aside: ReactNode;
  children: ReactNode;
}): ReactElement {
  const { domain, possible, status_before_hold } = of;
  const [held, setHeld] = useState<TriggerName | null>(null);
  const [reason, setReason] = useState('');
  const hasCertificate =
    domain.certificate !== null && Date.parse(domain.certificate.not_after) > (serverNow() ?? 0);
  const to = (name: TriggerName) => targetOf(name, domain.status, status_before_hold, hasCertificate);
  const buttons = possible.filter((name) => !NOT_BY_HAND.includes(name));
  /** While a trigger's button is focused or hovered, highlights the state to which the trigger leads. */
  const aimAt = (name: TriggerName) => ({
    className: 'trigger',
    onFocus: () => setHeld(name),
    onBlur: () => setHeld(null),
    onMouseEnter: () => setHeld(name),
    onMouseLeave: () => setHeld(null),
  });
  const groups = new Set(buttons.flatMap((name) => REASON_GROUPS[name] ?? []));

  async function trigger(name: TriggerName): Promise<string> {
    const group = REASON_GROUPS[name];
    const fits = REASON_CODES.some((code) => code === reason && REASONS[code].group === group);
    const body = { trigger: name, ...(fits && { reason }) };
    const { domain: now } = await askEmulator<Pick<InspectedDomain, 'domain'>>(
      `POST /domains/${encodeURIComponent(domain.id)}/trigger`,
      body,
    );
    setHeld(null);
    return `${domain.hostname} is ${now.status}.`;
  }

  return (
    <Section title="State" aside={aside}>
      <StateMachine
        current={domain.status}
        beforeHold={status_before_hold}
        reachable={[...new Set(possible.map(to))]}
        aim={held === null || !buttons.includes(held) ? null : to(held)}
      />
      {buttons.length === 0 ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form
        <div className="triggers" role="group" aria-label="Possible triggers">
          {buttons.map((name) => (
            <CommandButton key={name} work={() => trigger(name)} {...aimAt(name)}>
              <code>{name}</code> <span className="muted">→ {to(name)}</span>
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
      {children}
    </Section>
  );
}

const GROUP_WORDS: Partial<Record<ReasonGroup, string>> = { dns: 'DNS', ca: 'Certificate' };
