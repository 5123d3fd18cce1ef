import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { AuditPage, AuditView } from '../../responses.ts';
import { ask, useResource } from '../ask.ts';
import { Empty } from '../parts/facts.tsx';
import { CommandButton } from '../parts/forms.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { type DataColumn, Table } from '../parts/table.tsx';
import { useScope } from '../scope.ts';
import { FullTime } from '../times.tsx';

const LINES_PER_PAGE = 100;

/** Lists the entries of the account's audit log, newest first. */
export function Audit(): ReactElement {
  const { account } = useScope();
  const path = `/accounts/${encodeURIComponent(account.id)}`;
  const newest = useResource<AuditPage>(`${path}/audit?limit=${LINES_PER_PAGE}`);
  const [older, setOlder] = useState<AuditPage | null>(null);
  const next = older === null ? (newest.value?.next_before ?? null) : older.next_before;
  const lines = withoutRepeats([...(newest.value?.data ?? []), ...(older?.data ?? [])]);

  async function readOn(): Promise<string> {
    const query = new URLSearchParams({ limit: String(LINES_PER_PAGE), before: next ?? '' });
    const page = await ask<AuditPage>(`GET ${path}/audit?${query}`);
    setOlder({ ...page, data: [...(older?.data ?? lines), ...page.data] });
    return `Read ${page.data.length} more.`;
  }

  return (
    <ViewPage
      of="audit"
      acts={
        <a className="btn" href={`/dashboard/api${path}/audit.csv`} download="audit.csv">
          <Icon name="save" /> CSV
        </a>
      }
    >
      <Loaded of={newest}>
        {() =>
          lines.length === 0 ? (
            <Empty title="Nothing has happened yet">
              <p>Each change that a person or a key makes is listed here, with its time and its author.</p>
            </Empty>
          ) : (
            <Table
              caption={`Actions in ${account.name}`}
              columns={COLUMNS}
              rows={lines}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {next === null ? null : <CommandButton work={readOn}>Read more</CommandButton>}
    </ViewPage>
  );
}

const COLUMNS: readonly DataColumn<AuditView>[] = [
  ['Time', ({ at }) => <FullTime at={at} />],
  ['Who', ({ actor }) => actor],
  ['Action', ({ action }) => <code>{action}</code>],
  ['Detail', ({ detail }) => detail && detailWords(detail)],
];

/** Returns the fields of an entry's detail as text. A detail that is not an object is returned unchanged. */
function detailWords(detail: string): string {
  try {
    return Object.entries(JSON.parse(detail))
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' · ');
  } catch {
    return detail;
  }
}

/** Removes entries that occur twice, which can happen because the first page is refreshed while older pages stay. */
function withoutRepeats(lines: readonly AuditView[]): AuditView[] {
  return [...new Map(lines.toReversed().map((line) => [line.id, line])).values()].reverse();
}
