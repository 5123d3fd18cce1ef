import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { Status } from '../../../core/domains/status.ts';
import { statusLook } from '../../../core/look/status-look.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import type { EventList } from '../../../schema/event.ts';
import { hasValidCertificate } from '../page-clock.ts';
import { TimeLabel } from '../times.tsx';

/** How many of the four steps are done in a status. A status without a number shows no steps. */
const DONE: Partial<Record<Status, number>> = {
  pending_dns: 0,
  dns_broken: 0,
  verifying: 1,
  issuing: 2,
  cert_failed: 2,
  active: 4,
};
const WORDS = ['Record found', 'Confirmed', 'Certificate', 'Live'];

/** Shows how far a domain is on its way, in four steps. @param input.events the domain's events, the newest first. */
export function Steps(input: { of: DomainResource; events: EventList['data'] }): ReactElement | null {
  const { status, certificate } = input.of;
  const done = DONE[status];
  if (done === undefined) return null;
  const hasCertificate = hasValidCertificate(input.of);
  const now = statusLook(status, hasCertificate);
  const latest = (type: string) => {
    const event = input.events.find((each) => each.type === `domain.${type}`);
    return event && <TimeLabel at={event.created_at} />;
  };
  const since = ['Points here', latest('verified'), certificate?.issuer, latest('active')];
  const current = status === 'verifying' || status === 'issuing' ? 'In progress' : latest(status);
  // A broken record or a failed renewal ends nothing while the certificate is valid.
  const isServed = (place: number) =>
    hasCertificate && (status === 'dns_broken' ? place === 2 : status === 'cert_failed' && place === 3);
  return (
    <ol className="box steps" aria-label="Steps to a live domain">
      {WORDS.map((words, place) => {
        const isDone = place < done || isServed(place);
        const isNow = place === done;
        return (
          <li key={words} className={isDone ? 'done good' : isNow ? now.tone : 'later'}>
            <Icon name={isDone ? 's-active' : isNow ? now.icon : 's-none'} />
            <b>
              {place === 0 && !isDone ? 'DNS record' : words}
              <span className="hidden">{isDone ? ' (done)' : isNow ? ' (now)' : ' (not started)'}</span>
            </b>
            <span>{isDone ? since[place] : (isNow && current) || 'Not yet'}</span>
          </li>
        );
      })}
    </ol>
  );
}
