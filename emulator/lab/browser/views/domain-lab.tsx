import type { ReactElement } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { Facts } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { SinceText } from '../../../../shared/dashboard/browser/times.tsx';
import type { DomainResource } from '../../../../shared/schema/domain.ts';
import type { InspectedDomain, StatusResponse } from '../../responses.ts';
import { useEmulatorResource } from '../ask.ts';
import { TriggerPanel } from '../forms/trigger-panel.tsx';

/** Shows what only the emulator knows about a domain: its possible triggers, its scheduled jobs, and its URL at the edge. */
export function DomainLab({ of: { id, hostname } }: { of: DomainResource }): ReactElement | null {
  const { value } = useEmulatorResource<InspectedDomain>(`/domains/${encodeURIComponent(id)}`);
  const { value: status } = useEmulatorResource<StatusResponse>('/status');
  if (value === null) return null;
  const edge = status?.urls['edge'];
  return (
    <TriggerPanel of={value}>
      <Facts
        of={[
          ['Since', <SinceText key="since" at={value.status_since} />],
          [
            'Due next',
            value.jobs.length === 0
              ? null
              : value.jobs.map(({ kind, due_at }) => (
                  <span className="line" key={kind}>
                    <code>{kind}</code> <SinceText at={due_at} />
                  </span>
                )),
          ],
        ]}
      />
      {edge === undefined ? null : (
        <a className="btn" href={atEdge(edge, hostname)} target="_blank" rel="noreferrer">
          Open at the edge <Icon name="out" />
        </a>
      )}
    </TriggerPanel>
  );
}

/** Returns a URL such as `careers.acme.com.localhost:4401`, which browsers resolve without any setup. */
function atEdge(edge: string, hostname: string): string {
  const url = new URL(edge);
  url.hostname = `${hostname.replace(/^\*\./, 'any.')}.localhost`;
  return url.href;
}
