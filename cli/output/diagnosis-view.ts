import { PROVIDERS } from '../../shared/core/providers/providers.ts';
import { isReasonCode, REASONS } from '../../shared/core/reasons.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import type { Output, Style } from './output.ts';
import { plainText, plainTime } from './plain-text.ts';
import { type Column, textWidth } from './table.ts';
import { wrapText } from './wrap-text.ts';

type Finding = Diagnosis['findings'][number];
type Lookup = Diagnosis['lookups'][number];

export interface DiagnosisViewOptions {
  /** Why it is not known what the record should be; null where it is. */
  unknown: string | null;
  /** Whether the look-ups that were only made to find out more are shown too. */
  all_lookups: boolean;
  /** Looked at from this machine and not by the server, so that what cannot be reached is the user's to open. */
  from_here: boolean;
}

/** A diagnosis as a page: what it comes to, what is wrong and what to do, who holds the zone, and what was looked up. */
export function diagnosisLines(
  diagnosis: Diagnosis,
  { unknown, all_lookups, from_here }: DiagnosisViewOptions,
  output: Output,
): string[] {
  const is_whole = output.width === Number.POSITIVE_INFINITY;
  const page = { output, width: is_whole ? output.width : Math.min(output.width, PROSE_WIDTH_MAX) };
  const is_cut_off = from_here && noneAnswers(diagnosis);
  const says = is_cut_off ? `${plainText(diagnosis.hostname)}: ${CUT_OFF}` : verdict(diagnosis, unknown);
  const blocks = [
    wrapText(says, page.width).map((line) => output.paint(verdictStyle(diagnosis.healthy), line)),
    ...(unknown === null ? [] : [wrapText(unknown, page.width)]),
    ...diagnosis.findings.map((finding) =>
      findingLines(
        is_cut_off && finding.code === 'dns_resolver_unavailable'
          ? { ...finding, hint: OPEN_THE_WAY }
          : finding,
        page,
      ),
    ),
    zoneLines(diagnosis, page),
    lookupLines(diagnosis, all_lookups, output),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

const CUT_OFF = 'could not tell: none of the resolvers answers';
const OPEN_THE_WAY = 'Check --resolver, and that UDP and TCP port 53 may go out.';

/** A resolver that answers with an error is there. */
function noneAnswers({ lookups }: Diagnosis): boolean {
  const asked = lookups.filter((lookup) => lookup.asked === 'resolver');
  return asked.length > 0 && asked.every(({ failure }) => failure === 'unreachable' || failure === 'timeout');
}

/** Where lines of prose end, however wide the terminal is. */
const PROSE_WIDTH_MAX = 100;

interface Page {
  output: Output;
  /** Infinity where nothing is to be wrapped. */
  width: number;
}

function verdictStyle(healthy: boolean | null): Style {
  if (healthy === null) return 'yellow';
  return healthy ? 'green' : 'red';
}

function verdict({ hostname, healthy, findings }: Diagnosis, unknown: string | null): string {
  const count = (severity: Finding['severity'], one: string, many: string) => {
    const found = findings.filter((finding) => finding.severity === severity).length;
    return `${found} ${found === 1 ? one : many}`;
  };
  const name = plainText(hostname);
  if (healthy === false) return `${name}: ${count('error', 'thing', 'things')} to correct.`;
  if (healthy && findings.length > 0)
    return `${name}: all right, with ${count('warning', 'warning', 'warnings')}.`;
  if (healthy) return `${name}: all right.`;
  return unknown === null || findings.length > 0
    ? `${name}: nothing to correct, but not confirmed yet.`
    : `${name}: nothing wrong was found.`;
}

function findingLines(finding: Finding, page: Page): string[] {
  const { code, severity, record, expected, found, hint, docs } = finding;
  const { paint } = page.output;
  const title = isReasonCode(code) ? REASONS[code].title : code;
  return [
    `${paint(SEVERITY_STYLES[severity] ?? 'bold', plainText(severity))}: ${paint('bold', plainText(title))} ${paint('dim', `(${plainText(code)})`)}`,
    ...fieldLines(
      [
        ...(record === null ? [] : [['record', `${record.type} ${record.name}`] as const]),
        ...(record === null && found === null ? [] : [['found', found ?? 'nothing'] as const]),
        ['expected', expected],
        ['to do', hint],
      ],
      page,
      '  ',
    ),
    // On a line of its own: a narrow terminal has no room for more, and it must stay whole.
    `  ${paint('dim', plainText(docs))}`,
  ];
}

const SEVERITY_STYLES: Record<Finding['severity'], Style> = { error: 'red', warning: 'yellow', info: 'cyan' };

function zoneLines({ provider, name_servers, checked_at }: Diagnosis, page: Page): string[] {
  const panel_url = PROVIDERS.find(({ id }) => id === provider?.id)?.panel_url;
  return fieldLines(
    [
      ['provider', provider === null ? 'not known' : [provider.name, panel_url].filter(Boolean).join(', ')],
      ['name servers', name_servers.length === 0 ? 'not known' : name_servers.join(', ')],
      ['looked at', plainTime(checked_at)],
    ],
    page,
  );
}

/** Names and values under each other, values that need more than one line below their own beginning. */
function fieldLines(
  fields: readonly (readonly [name: string, value: string])[],
  { output, width }: Page,
  indent = '',
): string[] {
  const name_width = Math.max(...fields.map(([name]) => textWidth(name)));
  const hanging = ' '.repeat(indent.length + name_width + 2);
  return fields.flatMap(([name, value]) =>
    wrapText(plainText(value), width - hanging.length).map((line, at) =>
      at === 0 ? `${indent}${output.paint('dim', name.padEnd(name_width))}  ${line}` : hanging + line,
    ),
  );
}

function lookupLines({ lookups }: Diagnosis, all: boolean, output: Output): string[] {
  if (lookups.length === 0) return ['Nothing was looked up, as for every test domain.'];
  const shown = all ? lookups : lookups.filter(({ asked }) => asked !== 'probe');
  const left = lookups.length - shown.length;
  return [
    ...output.table(shown, all || output.width >= ROOM_FOR_NAMES ? COLUMNS : COLUMNS.filter(isNotName)),
    ...(left === 0
      ? []
      : [output.paint('dim', `${left} more ${left === 1 ? 'look-up' : 'look-ups'}: add --lookups`)]),
  ];
}

const COLUMNS: readonly Column<Lookup>[] = [
  { name: 'asked', value: ({ server }) => server, shrinks: true },
  { name: 'type', value: ({ type }) => type },
  { name: 'name', value: ({ name }) => name, shrinks: true },
  { name: 'answer', value: answerOf, shrinks: true },
  { name: 'ttl', value: ttlOf, optional: true },
];

/** In a narrow terminal the answers need it more: without the probes the name is the hostname, or follows from the type. */
const ROOM_FOR_NAMES = 90;

function isNotName({ name }: Column<Lookup>): boolean {
  return name !== 'name';
}

function answerOf({ outcome, failure, ede, records }: Lookup): string {
  const valuesOf = (is_cname: boolean) =>
    records.filter(({ type }) => (type === 'CNAME') === is_cname).map(({ value }) => value);
  const end = valuesOf(false).join(', ');
  const says = {
    answer: end,
    nxdomain: 'no such name',
    nodata: 'no such record',
    unknown: [`could not tell: ${failure}`, ...ede.map((code) => `EDE ${code}`)].join(', '),
  }[outcome];
  return [...valuesOf(true), ...(says === '' ? [] : [says])].join(' -> ');
}

function ttlOf({ records, negative_ttl_s }: Lookup): string {
  const ttl_s = records[0]?.ttl_s ?? negative_ttl_s;
  return ttl_s === null ? '-' : `${ttl_s} s`;
}
