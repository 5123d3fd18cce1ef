import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { type Resource, refresh } from '../reading.ts';
import type { RequestError } from '../send.ts';
import { Empty } from './facts.tsx';

/** Shows a resource once it is loaded. */
export function Loaded<T>(input: { of: Resource<T>; children: (value: T) => ReactNode }): ReactNode {
  const { value, error } = input.of;
  return value === null ? <NotLoaded error={error} /> : input.children(value);
}

/** Shows why something is not loaded, or grey rows while it is loading. The rows appear after 300 ms, so that a fast response shows none. */
export function NotLoaded({ error }: { error: RequestError | null }): ReactElement {
  return error !== null ? (
    <Empty title={error.message}>
      <Icon name="s-broken" />
      <p>{error.advice} Your domains keep serving.</p>
      <button type="button" onClick={() => void refresh()}>
        Try again
      </button>
      {error.requestId === null ? null : <code className="code-of">{error.requestId}</code>}
    </Empty>
  ) : (
    <div className="bones" aria-hidden="true">
      {['62%', '78%', '54%', '70%', '48%', '66%'].map((width) => (
        <p key={width}>
          <i style={{ width }} />
        </p>
      ))}
    </div>
  );
}
