import { Fragment, type ReactElement } from 'react';

/** Shows names with their values, such as metadata. Each value has its own text direction. */
export function Pairs({ of }: { of: Record<string, unknown> | null }): ReactElement[] {
  return Object.entries(of ?? {}).map(([name, value]) => (
    <Fragment key={name}>
      {name}=<bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>{' '}
    </Fragment>
  ));
}
