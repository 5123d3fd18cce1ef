import type { ReactElement } from 'react';

/** Shows headers as sent, in order. */
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
