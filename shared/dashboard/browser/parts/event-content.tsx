import type { ReactElement } from 'react';
import { CopyTextButton } from './copy-text.tsx';
import { Section } from './facts.tsx';

/** Shows headers in the order in which they were sent. */
export function HeaderTable({ headers }: { headers: readonly (readonly [string, string])[] }): ReactElement {
  // A header can occur twice, so the index serves as key.
  const rows = headers.map(([name, value], place) => ({ name, value, place }));
  return (
    <table className="headers">
      <thead className="hidden">
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, value, place }) => (
          <tr key={place}>
            <th scope="row">{name}</th>
            <td>
              <code>{value}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Shows the body of an event, indented. Its copy button copies the body exactly as it was sent.
 * @param body null if the body is no longer stored.
 */
export function EventBody({ of: body }: { of: string | null }): ReactElement {
  return (
    <Section
      title="Body"
      aside={body === null ? null : <CopyTextButton text={body} what="the body as sent" />}
    >
      {body === null ? (
        <p className="muted">The body is no longer stored.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
        <pre tabIndex={0}>{indented(body)}</pre>
      )}
    </Section>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // Not JSON, so shown as sent.
  }
}
