import type { ReactElement } from 'react';
import type { ApiKeyList, ApiKeyResource } from '../../../schema/api-key.ts';
import { ask, useResource } from '../ask.ts';
import { NewKey } from '../forms/new-key.tsx';
import { Empty } from '../parts/facts.tsx';
import { DialogForm } from '../parts/forms.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Pill } from '../parts/pill.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { type DataColumn, Table } from '../parts/table.tsx';
import { appPath, useCan, useScope } from '../scope.ts';
import { TimeLabel } from '../times.tsx';
import { MODE_WORDS } from './side.tsx';

/** Lists the app's API keys of both modes, creates them and revokes them. */
export function Keys(): ReactElement {
  const scope = useScope();
  const mayChange = useCan('developer');
  const keys = useResource<ApiKeyList>(appPath(scope, '/keys?limit=100'));
  return (
    <ViewPage of="keys" acts={mayChange ? <NewKey /> : null}>
      <Loaded of={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No keys yet">
              <p>Your program needs a key to call the API. Each key belongs to one mode.</p>
              <p className="code-of">nameplate keys create --name ci --mode test</p>
            </Empty>
          ) : (
            <Table
              caption="API keys"
              columns={mayChange ? [...COLUMNS, ['Revoke', (key) => <RevokeKey {...key} />, true]] : COLUMNS}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </ViewPage>
  );
}

const COLUMNS: readonly DataColumn<ApiKeyResource>[] = [
  ['Name', ({ name }) => name],
  ['Mode', ({ mode }) => <Pill tone={mode === 'live' ? 'work' : 'quiet'}>{MODE_WORDS[mode]}</Pill>],
  ['Key', ({ prefix, last4 }) => <code>{`${prefix}…${last4}`}</code>],
  ['Created', ({ created_at }) => <TimeLabel at={created_at} />],
  ['Last used', ({ last_used_at: at }) => (at === null ? 'never' : <TimeLabel at={at} />)],
];

function RevokeKey({ id, name, mode }: ApiKeyResource): ReactElement {
  const scope = useScope();
  return (
    <DialogForm
      word="Revoke…"
      opener={{ 'aria-label': `Revoke ${name}…` }}
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
