import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { isAwaitingDns, type Status } from '../../../core/domains/status.ts';
import type { Appearance } from '../../../core/look/status-look.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import { SinceText } from '../times.tsx';
import { RecordRow } from './cause.tsx';
import { CopyTextButton } from './copy-text.tsx';
import { Facts, Section } from './facts.tsx';
import { ShownState } from './pill.tsx';

/** Shows the records that the customer has to create, with a copy button for each value. */
export function DomainRecords({ of }: { of: DomainResource }): ReactElement {
  const { cname, apex } = of.dns;
  const records = [
    ...(cname === null ? [] : [{ type: 'CNAME', ...cname }]),
    ...(apex === null
      ? []
      : [
          ...apex.a.map((value) => ({ type: 'A', name: '@', value })),
          ...apex.aaaa.map((value) => ({ type: 'AAAA', name: '@', value })),
          { type: 'TXT', ...apex.txt },
          ...(apex.www ? [{ type: 'CNAME', ...apex.www }] : []),
        ]),
  ];
  const look = RECORD_LOOKS[of.status];
  return (
    <Section title="Records" aside={look && <ShownState {...look} />}>
      <Records of={records} />
      <ChallengeRecord of={of} />
    </Section>
  );
}

const FOUND: Appearance = { words: 'Correct', tone: 'good', icon: 's-active' };
const RECORD_LOOKS: Partial<Record<Status, Appearance>> = {
  pending_dns: { words: 'Not correct yet', tone: 'wait', icon: 's-wait' },
  verifying: { words: 'Found', tone: 'work', icon: 's-work' },
  issuing: FOUND,
  active: FOUND,
  cert_failed: FOUND,
  dns_broken: { words: 'Not correct', tone: 'bad', icon: 's-broken' },
};

function Records({ of }: { of: readonly { type: string; name: string; value: string }[] }): ReactElement {
  return (
    <dl className="record">
      {of.map(({ type, name, value }) => (
        <RecordRow
          key={`${type} ${value}`}
          name={type}
          copied={value}
          what={`the value of the ${type} record`}
        >
          <span className="copyable">
            <code>{name}</code>
            <CopyTextButton text={name} what={`the name of the ${type} record`} />
          </span>
          <Icon name="go" />
          <code>{value}</code>
        </RecordRow>
      ))}
    </dl>
  );
}

/** Shows the optional record that permits a certificate before the hostname moves here. */
function ChallengeRecord({ of }: { of: DomainResource }): ReactElement | null {
  const records = [of.dns.acme_challenge ?? [], of.dns.www_acme_challenge ?? []].flat();
  if (records.length === 0 || !isAwaitingDns(of.status)) return null;
  if (of.ready_to_switch) return <p>Ready to switch: the certificate is there before the hostname moves.</p>;
  return (
    <>
      <p>To have the certificate before the hostname moves here, your customer first creates:</p>
      <Records of={records.map((record) => ({ type: 'CNAME', ...record }))} />
    </>
  );
}

export function CertificateFacts({ of }: { of: DomainResource }): ReactElement {
  const { certificate } = of;
  return (
    <Section title="Certificate">
      {certificate === null ? (
        <p className="muted">None yet.</p>
      ) : (
        <Facts
          of={[
            ['Issuer', certificate.issuer],
            ['Valid from', <SinceText key="from" at={certificate.not_before} />],
            ['Valid until', <SinceText key="until" at={certificate.not_after} />],
            ['Renews', <SinceText key="renews" at={certificate.renews_at} />],
          ]}
        />
      )}
    </Section>
  );
}
