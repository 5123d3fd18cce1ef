import { type FormEvent, type ReactElement, useState } from 'react';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EmulatorStatus } from '../answers.ts';
import { ask, askApi, Refusal } from './ask.ts';
import { Dialog } from './dialog.tsx';
import { refresh } from './live.ts';
import { go, pathTo } from './navigation.ts';
import { say } from './notices.tsx';

/** Adds a domain to the default app, through the API as a program does. */
export function AddDomain({ onClose }: { onClose: () => void }): ReactElement {
  const [hostname, setHostname] = useState('');
  const [mode, setMode] = useState<'test' | 'live'>('test');
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const { keys } = await ask<EmulatorStatus>('GET /status');
      const added = await askApi<DomainResource>(keys[mode], 'POST /domains', { hostname });
      say(`Added ${added.hostname}.`);
      onClose();
      go(pathTo('domains', added.id));
      refresh();
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      setRefusal(thrown);
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
            aria-invalid={refusal !== null}
            aria-describedby={refusal === null ? undefined : 'add-refusal'}
            onChange={(event) => setHostname(event.target.value)}
          />
        </label>
        {refusal === null ? null : (
          <p className="bad-text" id="add-refusal" role="alert">
            {refusal.message} {refusal.fix}
          </p>
        )}
        <label>
          Key
          <select value={mode} onChange={(event) => setMode(event.target.value === 'live' ? 'live' : 'test')}>
            <option value="test">test</option>
            <option value="live">live</option>
          </select>
        </label>
        <p className="muted">
          A first label such as <code>dns-missing</code> or <code>caa-forbids</code> forces that outcome.
        </p>
        <button type="submit" className="primary">
          Add
        </button>
      </form>
    </Dialog>
  );
}
