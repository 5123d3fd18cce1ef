import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { AuditPage, AuditView } from '../../responses.ts';
import { ask, useResource } from '../ask.ts';
import { CommandButton } from '../parts/command-button.tsx';
import { Empty } from '../parts/facts.tsx';
import { NotLoaded } from '../parts/list-pane.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { SAME_BY } from '../same-by.ts';
import { useScope } from '../scope.ts';
import { FullTime } from '../times.tsx';

const LINES_PER_PAGE = 100;

/** Lists the entries of the account's audit log, newest first. */
export function Audit(): ReactElement {
  const { account } = useScope();
  const path = `/accounts/${encodeURIComponent(account.id)}`;
  const { value, error } = useResource<AuditPage>(`${path}/audit?limit=${LINES_PER_PAGE}`);
  const [older, setOlder] = useState<AuditPage | null>(null);
  const next = older === null ? (value?.next_before ?? null) : older.next_before;
  const lines = withoutRepeats([...(value?.data ?? []), ...(older?.data ?? [])]);

  async function readOn(): Promise<string> {
    const query = new URLSearchParams({ limit: String(LINES_PER_PAGE), before: next ?? '' });
    const page = await ask<AuditPage>(`GET ${path}/audit?${query}`);
    setOlder({ ...page, data: [...(older?.data ?? lines), ...page.data] });
    return `Read ${page.data.length} more.`;
  }

  return (
    <div className="page">
      <div className="page-acts">
        <a className="button small-button" href={`/dashboard/api${path}/audit.csv`} download="audit.csv">
          <Icon name="save" /> CSV
        </a>
      </div>
      {value === null ? (
        <NotLoaded error={error} />
      ) : lines.length === 0 ? (
        <Empty title="Nothing has happened yet">
          <p>Each change that a person or a key makes is listed here, with its time and its author.</p>
        </Empty>
      ) : (
        <table className="table">
          <caption className="hidden">Actions in {account.name}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Who</th>
              <th scope="col">Action</th>
              <th scope="col">Detail</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, at, actor, action, detail }) => (
              <tr key={id}>
                <td data-label="Time">
                  <FullTime at={at} />
                </td>
                <td data-label="Who">{actor}</td>
                <td data-label="Action">
                  <code>{action}</code>
                </td>
                <td data-label="Detail">{detail === null ? null : detailWords(detail)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {next === null ? null : <CommandButton work={readOn}>Read more</CommandButton>}
      <SameByApi of={SAME_BY.audit} />
    </div>
  );
}

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
