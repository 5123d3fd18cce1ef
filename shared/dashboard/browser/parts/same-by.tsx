import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { SameBy } from '../same-by.ts';
import { useScope } from '../scope.ts';
import { CopyText } from './copy-text.tsx';

/** Shows the API calls and the commands that do the same as the page. */
export function SameByApi({ of }: { of: readonly SameBy[] }): ReactElement {
  const { session } = useScope();
  const first = of[0];
  return (
    <details className="same-by">
      <summary>
        <Icon name="term" />
        <span className="hidden">The same by API and command line: </span>
        {first === undefined ? null : (
          <>
            {first.call === null ? null : <code>{first.call}</code>}
            {first.command === null ? null : <code>nameplate {first.command}</code>}
          </>
        )}
      </summary>
      <table className="calls">
        <thead>
          <tr>
            <th scope="col">Do</th>
            <th scope="col">API</th>
            <th scope="col">Command</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ what, call, command }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{call === null ? <span className="muted">dashboard only</span> : <code>{call}</code>}</td>
              <td>
                {command === null ? (
                  <span className="muted">none</span>
                ) : (
                  <CopyText text={`nameplate ${command}`} what={`the command: ${what}`} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted">
        The API is at <code>{session.base_url}</code>. Set <code>NAMEPLATE_API_KEY</code> to a key of this
        mode, or run <code>nameplate login</code>.
      </p>
    </details>
  );
}
