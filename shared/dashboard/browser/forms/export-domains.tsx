import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { csvCell } from '../../../core/text/printable.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import { notify, notifyError } from '../notices.tsx';
import { readAll } from '../read-all.ts';

/** The columns of the CSV file, in the order of the API's fields. */
const COLUMNS: readonly (readonly [string, (domain: DomainResource) => string | null])[] = [
  ['id', (domain) => domain.id],
  ['hostname', (domain) => domain.hostname],
  ['status', (domain) => domain.status],
  ['status_reason', (domain) => domain.status_reason],
  ['mode', (domain) => domain.mode],
  ['origin', (domain) => domain.origin],
  ['connect_url', (domain) => domain.connect_url],
  ['certificate_not_after', (domain) => domain.certificate?.not_after ?? null],
  ['metadata', (domain) => (domain.metadata === null ? null : JSON.stringify(domain.metadata))],
  ['created_at', (domain) => domain.created_at],
];

/** Saves all domains of the filtered list as a CSV file. A second click stops. */
export function ExportDomains({ path }: { path: string }): ReactElement {
  const [count, setCount] = useState<number | null>(null);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);

  async function save(): Promise<void> {
    aborter.current = new AbortController();
    const { signal } = aborter.current;
    const lines = [COLUMNS.map(([name]) => name).join(',')];
    setCount(0);
    try {
      await readAll<DomainResource>(path, signal, (rows) => {
        for (const row of rows) lines.push(COLUMNS.map(([, value]) => csvCell(value(row))).join(','));
        setCount(lines.length - 1);
        return true;
      });
      if (!signal.aborted) download('domains.csv', `${lines.join('\r\n')}\r\n`);
      if (!signal.aborted) notify(`Saved ${(lines.length - 1).toLocaleString('en')} domains.`);
    } catch (thrown) {
      if (!signal.aborted) notifyError(thrown);
    }
    setCount(null);
  }

  return (
    <button
      type="button"
      className={count === null ? 'btn bare icon' : undefined}
      aria-label={count === null ? 'Save as CSV' : undefined}
      title="Save as CSV"
      onClick={() => (count === null ? void save() : aborter.current?.abort())}
    >
      <Icon name="save" />
      {count === null ? null : `Stop at ${count.toLocaleString('en')}`}
    </button>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Keeps the object URL for a while, because some browsers still read it after the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
