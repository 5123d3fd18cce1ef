import { Fragment, type ReactElement } from 'react';

/** Renders a hostname that breaks at its dots first and keeps its text direction. */
export function HostnameText({ hostname }: { hostname: string }): ReactElement {
  const labels = hostname.split('.');
  return (
    <bdi>
      {labels.map((label, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels repeat, and nothing is ever rendered twice.
        <Fragment key={index}>
          {index > 0 ? (
            <>
              <wbr />.
            </>
          ) : null}
          {label}
        </Fragment>
      ))}
    </bdi>
  );
}
