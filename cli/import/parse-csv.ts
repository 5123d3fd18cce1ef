/** A record of a CSV file, with the number of the line on which it starts, from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** The error for a CSV file that does not follow RFC 4180. */
export class CsvSyntaxError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'CsvSyntaxError';
    this.line = line;
  }
}

/**
 * Parses CSV (RFC 4180) from text in chunks of any size. Accepts CRLF, LF and a byte order mark, and skips empty lines.
 * @throws CsvSyntaxError
 */
export async function* parseCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord, void, undefined> {
  const reader = new CsvReader();
  for await (const chunk of chunks) {
    for (const character of chunk) {
      const record = reader.push(character);
      if (record) yield record;
    }
  }
  const last = reader.end();
  if (last) yield last;
}

type State = 'start' | 'bare' | 'quoted' | 'closed';

class CsvReader {
  #state: State = 'start';
  #cell = '';
  #cells: string[] = [];
  #line = 1;
  #startLine = 1;
  #isFirst = true;

  /** Parses one character. Returns the record that the character ends, otherwise null. */
  push(character: string): CsvRecord | null {
    const isMark = this.#isFirst && character === '\uFEFF';
    this.#isFirst = false;
    if (isMark) return null;
    if (character === '\n') this.#line++;
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'closed';
      else this.#cell += character;
      return null;
    }
    if (character === '\n') return this.#endRecord();
    if (character === ',') this.#endCell();
    else if (character === '"') this.#quote();
    else this.#add(character);
    return null;
  }

  end(): CsvRecord | null {
    if (this.#state === 'quoted') {
      throw new CsvSyntaxError(this.#startLine, 'a quoted value has no closing quote');
    }
    return this.#endRecord();
  }

  #quote(): void {
    if (this.#state === 'bare')
      throw new CsvSyntaxError(this.#line, 'a value has a quote but does not start with one');
    // Two quotes inside a quoted cell mean one quote.
    if (this.#state === 'closed') this.#cell += '"';
    this.#state = 'quoted';
  }

  #add(character: string): void {
    if (this.#state === 'closed') {
      if (character === '\r') return;
      throw new CsvSyntaxError(this.#line, 'text follows a closing quote');
    }
    this.#state = 'bare';
    this.#cell += character;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  #endRecord(): CsvRecord | null {
    if (this.#state === 'bare' && this.#cell.endsWith('\r')) this.#cell = this.#cell.slice(0, -1);
    this.#endCell();
    const record = { line: this.#startLine, cells: this.#cells };
    this.#cells = [];
    this.#startLine = this.#line;
    return record.cells.length === 1 && record.cells[0] === '' ? null : record;
  }
}
