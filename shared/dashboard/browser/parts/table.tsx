import type { ReactElement, ReactNode } from 'react';

/** A column of a table. Its head is hidden if the cells say enough, such as buttons. */
export type DataColumn<T> = readonly [
  head: string,
  cell: (row: T) => ReactNode,
  isHeadHidden?: boolean | undefined,
];

/**
 * A table whose first column names the rows. On a phone, each row is a card, and the names of the columns precede the cells.
 * @param input.look the class of the table, in place of `table`.
 * @param input.keyOf returns a text that no other row has. Without it, the rows never change their places.
 */
export function Table<T>(input: {
  caption: string;
  look?: string;
  columns: readonly DataColumn<T>[];
  rows: readonly T[];
  keyOf?: (row: T) => string;
}): ReactElement {
  const { caption, look = 'table', columns, rows, keyOf } = input;
  const [[, nameOf], ...others] = columns as [DataColumn<T>, ...DataColumn<T>[]];
  return (
    <table className={look}>
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(([head, , isHidden]) => (
            <th key={head} scope="col">
              {isHidden ? <span className="hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={keyOf?.(row) ?? place}>
            <th scope="row">{nameOf(row)}</th>
            {others.map(([head, cell, isHidden]) => (
              <td key={head} data-label={isHidden ? undefined : head}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
