import { Fragment, type ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';

/** Renders a hostname so that lines break at its dots first, with its own text direction. */
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

/** Renders a text, with the names of the domain in it in their own text direction. */
export function NamedText({ text, page }: { text: string; page: ConnectPage }): ReactElement {
  const { hostname, unicode_hostname, look_alike_hostname, registrable } = page;
  const names = [unicode_hostname, look_alike_hostname, `www.${hostname}`, hostname, registrable].filter(
    (name) => name !== null,
  );
  const parts = text.split(new RegExp(`(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`));
  return (
    <>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and nothing is ever rendered twice.
        <Fragment key={index}>{index % 2 === 0 ? part : <bdi>{part}</bdi>}</Fragment>
      ))}
    </>
  );
}
