import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { SameBy } from '../same-by.ts';
import { useScope } from '../scope.ts';
import { CopyText } from './copy-text.tsx';
import { Table, type TableColumn } from './table.tsx';

/** Shows the API calls and the commands that do the same as the page. */
export function SameByApi({ of }: { of: readonly SameBy[] }): ReactElement {
  const { session } = useScope();
  const [, call = null, command = null] = of[0] ?? [];
  return (
    <details className="same-by">
      <summary>
        <Icon name="term" />
        <span className="hidden">The same by API and command line: </span>
        {call === null ? null : <code>{call}</code>}
        {command === null ? null : <code>nameplate {command}</code>}
      </summary>
      <Table caption="The same by API and command line" columns={COLUMNS} rows={of} />
      <p className="muted">
        The API is at <code>{session.base_url}</code>. Set <code>NAMEPLATE_API_KEY</code> to a key of this
        mode, or run <code>nameplate login</code>.
      </p>
    </details>
  );
}

const COLUMNS: readonly TableColumn<SameBy>[] = [
  ['Do', ([what]) => what],
  ['API', ([, call]) => (call === null ? 'dashboard only' : <code>{call}</code>)],
  [
    'Command',
    ([what, , command]) =>
      command === null ? 'none' : <CopyText text={`nameplate ${command}`} what={`the command: ${what}`} />,
  ],
];
