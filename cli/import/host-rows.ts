import { parseHostname } from '../../shared/core/domains/hostname.ts';
import { APEX_REDIRECTS } from '../../shared/core/domains/status.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { CreateDomain } from '../../shared/schema/domain.ts';
import { plainText } from '../output/plain-text.ts';
import { type CliError, usageError } from '../runtime/cli-error.ts';
import { type CsvRecord, CsvSyntaxError } from './parse-csv.ts';

const COLUMNS = ['hostname', 'origin', 'apex_redirect'];
const METADATA = 'metadata.';
/** The maximum number of problems that one error lists. */
const PROBLEMS_MAX = 10;

/**
 * Reads the rows of an import file. Returns each hostname once, in lowercase ASCII.
 * @throws CliError `usage` with the line number of each problem, so that nothing is imported from a file with mistakes.
 */
export async function readHostRows(records: AsyncIterable<CsvRecord>): Promise<CreateDomain[]> {
  const rows = new Map<string, { line: number; row: CreateDomain }>();
  const problems: string[] = [];
  let header: string[] | null = null;
  try {
    for await (const { line, cells } of records) {
      if (header === null) {
        header = readHeader(cells);
        continue;
      }
      const read = readRow(header, cells);
      if (!read.ok) {
        problems.push(`line ${line}: ${read.problem}`);
        continue;
      }
      const earlier = rows.get(read.row.hostname);
      if (earlier) problems.push(`line ${line}: ${read.row.hostname} is already on line ${earlier.line}`);
      else rows.set(read.row.hostname, { line, row: read.row });
    }
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    problems.push(`line ${error.line}: ${error.message}`);
  }
  if (problems.length > 0) throw notImported(problems);
  if (rows.size === 0) {
    throw usageError(
      'The file has no hostnames.',
      'Write a header row, such as `hostname,origin`, and a row for each hostname.',
    );
  }
  return [...rows.values()].map(({ row }) => row);
}

function readHeader(cells: readonly string[]): string[] {
  const header = cells.map((cell) => cell.trim());
  const unknown = header.find(
    (name) => !COLUMNS.includes(name) && !(name.startsWith(METADATA) && name !== METADATA),
  );
  const problem =
    unknown !== undefined
      ? `line 1: the column ${plainText(JSON.stringify(unknown))} is unknown`
      : new Set(header).size < header.length
        ? 'line 1: two columns have the same name'
        : header.includes('hostname')
          ? null
          : 'line 1: the column hostname is missing';
  if (problem === null) return header;
  throw usageError(
    `The file cannot be imported: ${problem}.`,
    header.length === 1 && /[;\t]/.test(header[0] ?? '')
      ? 'Separate the values with commas: save the file as CSV (RFC 4180) again.'
      : 'Start the file with a header row of the columns hostname, origin, apex_redirect and metadata.<key>.',
  );
}

function readRow(
  header: readonly string[],
  cells: readonly string[],
): { ok: true; row: CreateDomain } | { ok: false; problem: string } {
  if (cells.length !== header.length) {
    return {
      ok: false,
      problem: `number of values: ${cells.length}, but the header has ${header.length} columns`,
    };
  }
  const values = new Map(header.map((name, index) => [name, (cells[index] ?? '').trim()]));
  const origin = values.get('origin');
  const redirect = values.get('apex_redirect');
  const apexRedirect = APEX_REDIRECTS.find((each) => each === redirect);
  if (redirect && apexRedirect === undefined) {
    return {
      ok: false,
      problem: `apex_redirect is ${plainText(JSON.stringify(redirect))}, but must be ${APEX_REDIRECTS.join(' or ')}`,
    };
  }
  const metadata = [...values].filter(([name, value]) => name.startsWith(METADATA) && value !== '');
  try {
    const { hostname } = parseHostname(values.get('hostname') ?? '', []);
    return {
      ok: true,
      row: {
        hostname,
        ...(origin && { origin }),
        ...(apexRedirect && { apex_redirect: apexRedirect }),
        ...(metadata.length > 0 && {
          metadata: Object.fromEntries(metadata.map(([name, value]) => [name.slice(METADATA.length), value])),
        }),
      },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ok: false, problem: plainText(error.message).replace(/\.$/, '') };
  }
}

function notImported(problems: readonly string[]): CliError {
  const more = problems.length - PROBLEMS_MAX;
  const listed = problems.slice(0, PROBLEMS_MAX).map((problem) => `\n  ${problem}`);
  return usageError(
    `Nothing was imported, because of these rows:${listed.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
    'Correct the rows, then run the command again.',
  );
}
