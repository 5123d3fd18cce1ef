import type { ReactElement } from 'react';
import type { ApiKeyList, ApiKeyResource } from '../../../schema/api-key.ts';
import { ask, useResource } from '../ask.ts';
import { NewKey } from '../forms/new-key.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Empty } from '../parts/facts.tsx';
import { NotLoaded } from '../parts/list-pane.tsx';
import { Pill } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { SAME_BY } from '../same-by.ts';
import { appPath, useCan, useScope } from '../scope.ts';
import { TimeLabel } from '../times.tsx';
import { MODE_WORDS } from './mode-switch.tsx';

/** Lists the app's API keys of both modes, creates them and revokes them. */
export function Keys(): ReactElement {
  const scope = useScope();
  const mayChange = useCan('developer');
  const { value, error } = useResource<ApiKeyList>(appPath(scope, '/keys?limit=100'));
  return (
    <div className="page">
      {mayChange ? (
        <div className="page-acts">
          <NewKey />
        </div>
      ) : null}
      {value === null ? (
        <NotLoaded error={error} />
      ) : value.data.length === 0 ? (
        <Empty title="No keys yet">
          <p>Your program needs a key to call the API. Each key belongs to one mode.</p>
          <p className="code-of">nameplate keys create --name ci --mode test</p>
        </Empty>
      ) : (
        <table className="table">
          <caption className="hidden">API keys</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Mode</th>
              <th scope="col">Key</th>
              <th scope="col">Created</th>
              <th scope="col">Last used</th>
              {mayChange ? (
                <th scope="col">
                  <span className="hidden">Revoke</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {value.data.map((key) => (
              <tr key={key.id}>
                <th scope="row">{key.name}</th>
                <td data-label="Mode">
                  <Pill tone={key.mode === 'live' ? 'work' : 'quiet'}>{MODE_WORDS[key.mode]}</Pill>
                </td>
                <td data-label="Key">
                  <code>
                    {key.prefix}…{key.last4}
                  </code>
                </td>
                <td data-label="Created">
                  <TimeLabel at={key.created_at} />
                </td>
                <td data-label="Last used">
                  {key.last_used_at === null ? (
                    <span className="muted">never</span>
                  ) : (
                    <TimeLabel at={key.last_used_at} />
                  )}
                </td>
                {mayChange ? (
                  <td>
                    <Revoke of={key} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <SameByApi of={SAME_BY.keys} />
    </div>
  );
}

function Revoke({ of: { id, name, mode } }: { of: ApiKeyResource }): ReactElement {
  const scope = useScope();
  return (
    <DialogForm
      word="Revoke"
      opener={{ className: 'small-button', 'aria-label': `Revoke ${name}…` }}
      title={`Revoke ${name}?`}
      submit="Revoke"
      danger
      work={async () => {
        await ask(`DELETE ${appPath(scope, `/keys/${encodeURIComponent(id)}`)}`);
        return `Revoked ${name}.`;
      }}
    >
      <p>Programs that use this {mode} key get 401 within 5 seconds. A revoked key cannot be restored.</p>
    </DialogForm>
  );
}
