import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { FORCED_OUTCOMES } from '../../../core/domains/test-mode.ts';
import type { ChangedDomain } from '../../../schema/domain.ts';
import { DialogForm, type FormFields, TextField } from '../parts/forms.tsx';
import { go } from '../router.ts';
import { askApi, useScope, useViewPath } from '../scope.ts';

/** Adds a domain in the page's mode, and opens it. */
export function AddDomain(): ReactElement {
  const scope = useScope();
  const viewPath = useViewPath();
  const isTest = scope.mode === 'test';

  async function add({ hostname }: FormFields): Promise<string> {
    const added = await askApi<ChangedDomain>(scope, 'POST /domains', { hostname });
    go(viewPath('domains', added.id));
    return added.warnings?.[0]?.message ?? `Added ${added.hostname}.`;
  }

  return (
    <DialogForm
      word={
        <>
          <Icon name="plus" /> Add domain
        </>
      }
      opener={{ className: 'btn lead' }}
      title={`Add a ${scope.mode} domain`}
      submit="Add"
      work={add}
    >
      <TextField
        label="Hostname"
        name="hostname"
        data-first=""
        required
        placeholder="careers.acme.com"
        list={isTest ? 'test-hostnames' : undefined}
      />
      {isTest ? (
        <>
          <datalist id="test-hostnames">
            {FORCED_OUTCOMES.map(({ label, summary }) => (
              <option key={label} value={`${label}.acme.com`} label={summary} />
            ))}
          </datalist>
          <p className="muted">A hostname from the list forces an outcome, such as a DNS fault.</p>
        </>
      ) : (
        <p className="muted">The next page has the records, and the link to send to your customer.</p>
      )}
    </DialogForm>
  );
}
