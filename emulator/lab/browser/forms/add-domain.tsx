import { type FormEvent, type ReactElement, useState } from 'react';
import { FORCED_OUTCOMES, testOutcome } from '../../../../shared/core/domains/test-mode.ts';
import { notify } from '../../../../shared/dashboard/browser/notices.tsx';
import { Dialog } from '../../../../shared/dashboard/browser/parts/dialog.tsx';
import { refresh } from '../../../../shared/dashboard/browser/revision.ts';
import { go } from '../../../../shared/dashboard/browser/router.ts';
import { sentencesOf } from '../../../../shared/dashboard/browser/send.ts';
import type { DomainResource } from '../../../../shared/schema/domain.ts';
import type { EmulatorStatus } from '../../responses.ts';
import { ask, askApi } from '../ask.ts';
import { pathTo } from '../navigation.ts';

/** Adds a domain to the default app through the API, as a program would. */
export function AddDomain({ onClose }: { onClose: () => void }): ReactElement {
  const [hostname, setHostname] = useState('');
  const [mode, setMode] = useState<'test' | 'live'>('test');
  const [problem, setProblem] = useState('');

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const { keys } = await ask<EmulatorStatus>('GET /status');
      const added = await askApi<DomainResource>(keys[mode], 'POST /domains', { hostname });
      notify(`Added ${added.hostname}.`);
      onClose();
      go(pathTo('domains', added.id));
      refresh();
    } catch (thrown) {
      setProblem(sentencesOf(thrown).join(' '));
    }
  }

  return (
    <Dialog title="Add a domain" onClose={onClose}>
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
            list={mode === 'test' ? 'test-hostnames' : undefined}
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
        <label>
          Key
          <select value={mode} onChange={(event) => setMode(event.target.value === 'live' ? 'live' : 'test')}>
            <option value="test">test</option>
            <option value="live">live</option>
          </select>
        </label>
        <datalist id="test-hostnames">
          {FORCED_OUTCOMES.map(({ label, summary }) => (
            <option key={label} value={`${label}.acme.com`} label={summary} />
          ))}
        </datalist>
        {mode === 'test' ? (
          <p className="muted">
            A hostname from the list forces an outcome. For example, <code>{EXAMPLE.label}.acme.com</code>
            {EXAMPLE.summary}.
          </p>
        ) : null}
        <button type="submit" className="primary">
          Add
        </button>
      </form>
    </Dialog>
  );
}

/** The example in the dialog. The field suggests all test hostnames. */
const EXAMPLE = testOutcome('caa-forbids');
