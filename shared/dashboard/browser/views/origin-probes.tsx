import type { ReactElement } from 'react';
import type { OriginProbeView } from '../../responses.ts';
import { useResource } from '../ask.ts';
import { reasonText } from '../parts/cause.tsx';
import { type DataColumn, Table } from '../parts/table.tsx';
import { useScope } from '../scope.ts';
import { FullTime, SinceText } from '../times.tsx';

/** Shows the probes of the app's origin during the last day: a strip with one bar each, and the list. */
export function OriginProbes(): ReactElement | null {
  const { app } = useScope();
  const { value } = useResource<{ data: OriginProbeView[] }>(
    `/apps/${encodeURIComponent(app.id)}/origin-probes`,
  );
  const [newest, ...older] = value?.data ?? [];
  if (newest === undefined) return null;
  const probes = [newest, ...older];
  const failed = probes.filter(({ reason }) => reason !== null).length;
  const slowest = Math.max(1, ...probes.map(({ latency_ms }) => latency_ms ?? 0));
  return (
    <div className="probes">
      <p>
        {failed === 0
          ? `The last ${probes.length === 1 ? 'probe' : `${probes.length} probes`} reached the origin.`
          : `${failed} of the last ${probes.length} probes failed.`}{' '}
        <span className="muted">
          The first was <SinceText at={(older.at(-1) ?? newest).at} />.
        </span>
      </p>
      <div className="probe-strip" aria-hidden="true">
        {probes.toReversed().map(({ at, latency_ms, reason }, place) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: two probes can have the same time
            key={place}
            className={reason === null ? 'good' : 'bad'}
            style={{ height: `${reason === null ? 25 + (75 * (latency_ms ?? 0)) / slowest : 100}%` }}
            title={`${at}: ${reason === null ? `${latency_ms} ms` : reasonText(reason)}`}
          />
        ))}
      </div>
      <details>
        <summary>{probes.length === 1 ? 'The probe' : `${probes.length} probes`}</summary>
        <Table caption="Probes of the origin" columns={COLUMNS} rows={probes} />
      </details>
    </div>
  );
}

const COLUMNS: readonly DataColumn<OriginProbeView>[] = [
  ['Time', ({ at }) => <FullTime at={at} />],
  [
    'Result',
    ({ reason }) =>
      reason === null ? (
        'Reachable'
      ) : (
        <>
          {reasonText(reason)} <span className="code-of">{reason}</span>
        </>
      ),
  ],
  ['Status', ({ status_code }) => status_code ?? 'no response'],
  ['Latency', ({ latency_ms }) => (latency_ms === null ? null : `${latency_ms} ms`)],
];
