/** A record of a zone. Names are absolute, without a final dot. */
export interface ModelRecord {
  name: string;
  type: string;
  /** For a CNAME, the absolute target; for other types, the data as in a master file. */
  value: string;
}

/** Reads lines of a master file whose names are relative to a zone, without TTLs. */
export function readLines(zone: string, lines: readonly string[]): ModelRecord[] {
  return lines.map((line) => {
    const [name = '', type = '', ...rest] = line.split(' ');
    const value = rest.join(' ');
    return { name: absolute(name, zone), type, value: type === 'CNAME' ? absolute(value, zone) : value };
  });
}

function absolute(name: string, zone: string): string {
  if (name === '@') return zone;
  return name.endsWith('.') ? name.slice(0, -1) : `${name}.${zone}`;
}

/** Returns the records of a name, or the records of the wildcard that covers the name (RFC 4592 section 3.3). */
export function recordsAt(records: readonly ModelRecord[], name: string): ModelRecord[] {
  const exists = (each: string) =>
    records.some((record) => record.name === each || record.name.endsWith(`.${each}`));
  if (exists(name)) return records.filter((record) => record.name === name);
  for (let above = parentOf(name); above !== ''; above = parentOf(above)) {
    if (!exists(above)) continue;
    return records.filter((record) => record.name === `*.${above}`);
  }
  return [];
}

export function parentOf(name: string): string {
  return name.split('.').slice(1).join('.');
}
