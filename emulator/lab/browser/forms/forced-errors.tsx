import type { ReactElement } from 'react';
import { ERRORS } from '../../../../shared/core/errors.ts';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import {
  Choice,
  CommandButton,
  CommandForm,
  type FormFields,
  TextField,
} from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { askEmulator, useEmulatorResource } from '../ask.ts';

interface ForcedError {
  code: string;
  path?: string;
  times: number;
}

/** Lists the errors that the next API requests will get, with a form that adds one. */
export function ForcedErrors(): ReactElement {
  const { value } = useEmulatorResource<{ data: ForcedError[] }>('/errors');
  // The list can have equal errors, so use the index as React key.
  const waiting = (value?.data ?? []).map((error, place) => ({ ...error, place }));

  return (
    <Section
      title="Forced errors"
      aside={waiting.length === 0 ? null : <CommandButton work={clear}>Clear</CommandButton>}
    >
      <CommandForm submit="Force" work={force}>
        <Choice
          label="Code"
          name="code"
          defaultValue="internal_error"
          options={Object.entries(ERRORS).map(([code, { status }]) => [code, `${status} ${code}`] as const)}
        />
        <TextField
          label="Path, with all paths below it"
          name="path"
          placeholder="every path"
          pattern="/.*"
          title="A path such as /v1/domains"
        />
        <TextField label="Times" name="times" type="number" min={1} max={1000} required defaultValue={1} />
      </CommandForm>
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

async function force({ code, path, times }: FormFields): Promise<string> {
  await askEmulator('PUT /errors', { code, times: Number(times), ...(path && { path }) });
  return times === '1'
    ? `The next request will fail with ${code}.`
    : `The next ${times} requests will fail with ${code}.`;
}

async function clear(): Promise<string> {
  await askEmulator('DELETE /errors');
  return 'Forced errors cleared.';
}
