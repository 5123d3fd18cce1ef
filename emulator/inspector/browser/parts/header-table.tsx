import type { ReactElement } from 'react';

/** Headers as they went over the wire, in order. */
export function HeaderTable({ headers }: { headers: readonly (readonly [string, string])[] }): ReactElement {
  // The same header may come twice: the place is what tells them apart.
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
