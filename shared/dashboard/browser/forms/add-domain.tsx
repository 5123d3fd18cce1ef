import { type FormEvent, type ReactElement, useState } from 'react';
import { FORCED_OUTCOMES } from '../../../core/domains/test-mode.ts';
import type { ChangedDomain } from '../../../schema/domain.ts';
import { notify } from '../notices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { refresh } from '../reading.ts';
import { go } from '../router.ts';
import { askApi, useScope, useViewPath } from '../scope.ts';
import { sentencesOf } from '../send.ts';

/** Adds a domain in the page's mode. */
export function AddDomain({ onClose }: { onClose: () => void }): ReactElement {
  const scope = useScope();
  const viewPath = useViewPath();
  const [hostname, setHostname] = useState('');
  const [problem, setProblem] = useState('');
  const isTest = scope.mode === 'test';

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const added = await askApi<ChangedDomain>(scope, 'POST /domains', { hostname: hostname.trim() });
      notify(added.warnings?.[0]?.message ?? `Added ${added.hostname}.`);
      onClose();
      go(viewPath('domains', added.id));
      void refresh();
    } catch (thrown) {
      setProblem(sentencesOf(thrown).join(' '));
    }
  }

  return (
    <Dialog title={`Add a ${scope.mode} domain`} onClose={onClose}>
      <form className="form" onSubmit={(event) => void add(event)}>
        <label>
          Hostname
          <input
            name="hostname"
            data-first=""
            value={hostname}
            required
            spellCheck={false}
            autoComplete="off"
            placeholder="careers.acme.com"
            list={isTest ? 'test-hostnames' : undefined}
            aria-invalid={problem !== ''}
            aria-describedby={problem === '' ? undefined : 'add-problem'}
            onChange={(event) => setHostname(event.target.value)}
          />
        </label>
        {problem === '' ? null : (
          <p className="bad-text" id="add-problem" role="alert">
            {problem}
          </p>
        )}
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
        <button type="submit" className="primary">
          Add
        </button>
      </form>
    </Dialog>
  );
}
