import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { SAME_BY, type SameBy } from '../same-by.ts';
import { useScope } from '../scope.ts';
import { CopyText } from './copy-text.tsx';
import { type DataColumn, Table } from './table.tsx';

/** Shows the API calls and the commands that do the same as the page. @param input.of them, or the name of the page. */
export function SameByApi(input: { of: keyof typeof SAME_BY | readonly SameBy[] }): ReactElement {
  const { session } = useScope();
  const of: readonly SameBy[] = typeof input.of === 'string' ? SAME_BY[input.of] : input.of;
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

/**
 * A page of boxes, with the API calls and the commands that do the same.
 * @param input.acts buttons above the boxes, on the right.
 * @param input.of the name of the page in `SAME_BY`.
 */
export function ViewPage(input: {
  of: keyof typeof SAME_BY;
  acts?: ReactNode;
  children: ReactNode;
}): ReactElement {
  return (
    <div className="page">
      {input.acts ? <div className="page-acts">{input.acts}</div> : null}
      {input.children}
      <SameByApi of={input.of} />
    </div>
  );
}

const COLUMNS: readonly DataColumn<SameBy>[] = [
  ['Do', ([what]) => what],
  ['API', ([, call]) => (call === null ? 'dashboard only' : <code>{call}</code>)],
  [
    'Command',
    ([what, , command]) =>
      command === null ? 'none' : <CopyText text={`nameplate ${command}`} what={`the command: ${what}`} />,
  ],
];
