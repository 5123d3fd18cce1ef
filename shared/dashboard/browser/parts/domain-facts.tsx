import type { ReactElement } from 'react';
import { isAwaitingDns } from '../../../core/domains/status.ts';
import type { Diagnosis } from '../../../schema/diagnosis.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import { SinceText } from '../times.tsx';
import { CopyText } from './copy-text.tsx';
import { Facts, Section } from './facts.tsx';
import { OutLink } from './link.tsx';
import { Pill } from './pill.tsx';

/** Shows the findings of a diagnosis, the most severe first. */
export function FindingList({ of }: { of: Diagnosis['findings'] }): ReactElement {
  return (
    <>
      {of.map(({ code, severity, expected, found, hint, docs, changes }) => (
        <div className="finding" key={code}>
          <p>
            <Pill tone={severity === 'error' ? 'bad' : severity === 'warning' ? 'wait' : 'quiet'}>
              {severity}
            </Pill>{' '}
            <OutLink href={docs}>
              <code>{code}</code>
            </OutLink>
          </p>
          <p>{hint}</p>
          <Facts
            of={[
              ['Expected', <code key="expected">{expected}</code>],
              ['Found', found && <code>{found}</code>],
            ]}
          />
          <Changes of={changes} />
        </div>
      ))}
    </>
  );
}

/** Lists the changes to the customer's records that fix a finding, with a copy button for each new value. */
function Changes({ of }: { of: Diagnosis['findings'][number]['changes'] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <ul className="plain records">
      {of.map((change) => (
        <li key={JSON.stringify(change)}>
          <span>{CHANGE_WORDS[change.action]}</span> <code className="record-type">{change.type}</code>
          <CopyText text={change.name} what="the name of the record to change" />
          {change.of === null ? null : (
            <del>
              <code>
                {change.of.type === change.type ? '' : `${change.of.type} `}
                {change.of.value}
              </code>
            </del>
          )}
          {change.action === 'remove' ? (
            <code>{change.value}</code>
          ) : (
            <CopyText text={change.value} what="the new value of the record" />
          )}
        </li>
      ))}
    </ul>
  );
}

const CHANGE_WORDS = { add: 'Add', replace: 'Replace', remove: 'Delete' } as const;

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
  return (
    <Section title="Records">
      <ul className="plain records">
        {records.map(({ type, name, value }) => (
          <li key={`${type} ${value}`}>
            <code className="record-type">{type}</code>
            <CopyText text={name} what={`the name of the ${type} record`} />
            <CopyText text={value} what={`the value of the ${type} record`} />
          </li>
        ))}
      </ul>
      <ChallengeRecord of={of} />
    </Section>
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
      <ul className="plain records">
        {records.map(({ name, value }) => (
          <li key={name}>
            <code className="record-type">CNAME</code>
            <CopyText text={name} what={`the name ${name}`} />
            <CopyText text={value} what={`the value of ${name}`} />
          </li>
        ))}
      </ul>
    </>
  );
}

export function CertificateFacts({ of }: { of: DomainResource }): ReactElement {
  const { certificate } = of;
  return (
    <Section title="Certificate">
      {certificate === null ? (
        <p className="muted">None.</p>
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
