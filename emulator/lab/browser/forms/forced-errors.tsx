import { type FormEvent, type ReactElement, useState } from 'react';
import { ERRORS } from '../../../../shared/core/errors.ts';
import { CommandButton, useCommand } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { askEmulator, useEmulatorResource } from '../ask.ts';

interface ForcedError {
  code: string;
  path?: string;
  times: number;
}

/** Lists the errors that the next API requests will get, with a form that adds one. */
export function ForcedErrors(): ReactElement {
  const { value } = useEmulatorResource<{ data: ForcedError[] }>('/errors');
  const [form, setForm] = useState({ code: 'internal_error', path: '', times: '1' });
  const [busy, run] = useCommand();
  // The list can have equal errors, so use the index as React key.
  const waiting = (value?.data ?? []).map((error, place) => ({ ...error, place }));

  function force(event: FormEvent): void {
    event.preventDefault();
    const { code, path, times } = form;
    void run(async () => {
      const error = { code, times: Number(times), ...(path.trim() === '' ? {} : { path: path.trim() }) };
      await askEmulator('PUT /errors', error);
      return times === '1'
        ? `The next request will fail with ${code}.`
        : `The next ${times} requests will fail with ${code}.`;
    });
  }

  return (
    <Section
      title="Forced errors"
      aside={
        waiting.length === 0 ? null : (
          <CommandButton className="small-button" work={clear}>
            Clear
          </CommandButton>
        )
      }
    >
      <form className="line-form" onSubmit={force}>
        <label>
          Code
          <select value={form.code} onChange={(event) => setForm({ ...form, code: event.target.value })}>
            {Object.entries(ERRORS).map(([code, { status }]) => (
              <option key={code} value={code}>
                {status} {code}
              </option>
            ))}
          </select>
        </label>
        <label>
          Path, with all paths below it
          <input
            value={form.path}
            placeholder="every path"
            pattern="/.*"
            spellCheck={false}
            title="A path such as /v1/domains"
            onChange={(event) => setForm({ ...form, path: event.target.value })}
          />
        </label>
        <label className="short">
          Times
          <input
            type="number"
            min={1}
            max={1000}
            required
            value={form.times}
            onChange={(event) => setForm({ ...form, times: event.target.value })}
          />
        </label>
        <button type="submit" aria-disabled={busy || undefined}>
          Force
        </button>
      </form>
      {waiting.length === 0 ? (
        <p className="muted">No forced errors</p>
      ) : (
        <ul className="plain">
          {waiting.map(({ code, path, times, place }) => (
            <li className="row-link" key={place}>
              <code className="row-main">{code}</code>
              <span className="muted">{path ?? 'every path'}</span>
              <span>{times === 1 ? 'once' : `${times} times`}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

async function clear(): Promise<string> {
  await askEmulator('DELETE /errors');
  return 'Forced errors cleared.';
}
