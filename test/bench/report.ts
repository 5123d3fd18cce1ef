/** A measured number. `floor` is the number of the baseline in the same run; null if there is no baseline. */
export interface BenchRow {
  name: string;
  unit: string;
  value: number;
  floor: number | null;
  /** The target; null if the number has none. */
  target: { text: string; isMet: boolean } | null;
}

/** Prints the rows as a table. */
export function printReport(rows: readonly BenchRow[]): void {
  const table = [
    ['', 'measured', 'floor', 'difference', 'ratio', 'target', ''],
    ...rows.map(({ name, unit, value, floor, target }) => [
      name,
      `${rounded(value)} ${unit}`,
      ...(floor === null
        ? ['', '', '']
        : [`${rounded(floor)} ${unit}`, rounded(value - floor), (value / floor).toFixed(2)]),
      target?.text ?? '',
      target === null ? '' : target.isMet ? 'ok' : 'missed',
    ]),
  ];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of table) {
    const cells = row.map((cell, column) =>
      (column === 0 ? cell.padEnd : cell.padStart).call(cell, widths[column] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
}

function rounded(value: number): string {
  return Math.abs(value) < 100 ? value.toFixed(1) : value.toFixed(0);
}
