import { type ReactElement, useState } from 'react';
import { ERRORS } from '../../../../shared/core/errors.ts';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Choice, LineForm, TextField } from '../../../../shared/dashboard/browser/parts/fields.tsx';
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
  // The list can have equal errors, so use the index as React key.
  const waiting = (value?.data ?? []).map((error, place) => ({ ...error, place }));

  async function force(): Promise<string> {
    const { code, path, times } = form;
    const error = { code, times: Number(times), ...(path.trim() === '' ? {} : { path: path.trim() }) };
    await askEmulator('PUT /errors', error);
    return times === '1'
      ? `The next request will fail with ${code}.`
      : `The next ${times} requests will fail with ${code}.`;
  }

  return (
    <Section
      title="Forced errors"
      aside={waiting.length === 0 ? null : <CommandButton work={clear}>Clear</CommandButton>}
    >
      <LineForm submit="Force" work={force}>
        <Choice
          label="Code"
          value={form.code}
          options={Object.entries(ERRORS).map(([code, { status }]) => [code, `${status} ${code}`] as const)}
          onText={(code) => setForm({ ...form, code })}
        />
        <TextField
          label="Path, with all paths below it"
          value={form.path}
          placeholder="every path"
          pattern="/.*"
          title="A path such as /v1/domains"
          onText={(path) => setForm({ ...form, path })}
        />
        <TextField
          label="Times"
          type="number"
          min={1}
          max={1000}
          required
          value={form.times}
          onText={(times) => setForm({ ...form, times })}
        />
      </LineForm>
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
