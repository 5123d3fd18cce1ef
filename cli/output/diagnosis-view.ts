import { PROVIDERS } from '../../shared/core/providers/providers.ts';
import { HOPS, type Hop } from '../../shared/core/public-path/public-path.ts';
import { isReasonCode, REASONS } from '../../shared/core/reasons.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import { fieldLines } from './field-lines.ts';
import { BAD_MARK, GOOD_MARK, marked, painted, type StateMark, WARNING_MARK } from './marks.ts';
import type { Formatting } from './output.ts';
import { plainText } from './plain-text.ts';
import type { TableColumn } from './table.ts';
import { wrapText } from './wrap-text.ts';

type Finding = Diagnosis['findings'][number];
type Lookup = Diagnosis['lookups'][number];

export interface DiagnosisViewOptions {
  /** The reason why the expected record is unknown, for the user; null if it is known. */
  unknown: string | null;
  /** True to show all lookups, also the lookups that only add details. */
  allLookups: boolean;
  /**
   * True if this machine made the lookups. An unreachable resolver then means a problem of the user's network. False if the server made
   * them.
   */
  fromHere: boolean;
  /** The domain's connect page. Null if the page is unknown, or if the caller shows it elsewhere. */
  connectUrl: string | null;
}

/** Formats a diagnosis: the verdict, the findings with their fixes, the DNS provider, and the lookups. */
export function diagnosisLines(
  diagnosis: Diagnosis,
  { unknown, allLookups, fromHere, connectUrl }: DiagnosisViewOptions,
  output: Formatting,
): string[] {
  const isWhole = output.width === Number.POSITIVE_INFINITY;
  const page = { output, width: isWhole ? output.width : Math.min(output.width, PROSE_WIDTH_MAX) };
  const isCutOff = fromHere && noneAnswers(diagnosis);
  const summary = isCutOff ? `${plainText(diagnosis.hostname)}: ${CUT_OFF}` : verdict(diagnosis, unknown);
  const look = verdictMark(diagnosis.healthy);
  const blocks = [
    wrapText(marked(look, summary, output), page.width).map((line) => output.paint(look.style, line)),
    ...(unknown === null ? [] : [wrapText(unknown, page.width)]),
    ...diagnosis.findings.map((finding) =>
      findingLines(
        isCutOff && finding.code === 'dns_resolver_unavailable'
          ? { ...finding, hint: CUT_OFF_HINT }
          : finding,
        page,
      ),
    ),
    connectUrl !== null && diagnosis.healthy === false
      ? wrapText(`Your customer sees this page: ${plainText(connectUrl)}`, page.width)
      : [],
    zoneLines(diagnosis, page),
    lookupLines(diagnosis, allLookups, output),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

const CUT_OFF = 'unknown, because no resolver responds';
const CUT_OFF_HINT = 'Check --resolver, and that your firewall allows outgoing UDP and TCP to port 53.';

/** Returns true if no resolver responded. A resolver that responds with an error is reachable. */
function noneAnswers({ lookups }: Diagnosis): boolean {
  const asked = lookups.filter((lookup) => lookup.asked === 'resolver');
  return asked.length > 0 && asked.every(({ failure }) => failure === 'unreachable' || failure === 'timeout');
}

/** The maximum width of prose, even in a wider terminal. */
const PROSE_WIDTH_MAX = 100;

interface Page {
  output: Formatting;
  /** The width to wrap lines to, in columns; Infinity if lines are not wrapped. */
  width: number;
}

function verdictMark(healthy: boolean | null): StateMark {
  if (healthy === null) return { mark: '◌', style: 'yellow' };
  return healthy ? GOOD_MARK : BAD_MARK;
}

function verdict({ hostname, healthy, findings }: Diagnosis, unknown: string | null): string {
  const count = (severity: Finding['severity'], one: string, many: string) => {
    const found = findings.filter((finding) => finding.severity === severity).length;
    return `${found} ${found === 1 ? one : many}`;
  };
  const name = plainText(hostname);
  if (healthy === false) return `${name}: ${count('error', 'problem', 'problems')} to fix.`;
  if (healthy && findings.some(({ severity }) => severity === 'warning'))
    return `${name}: healthy, with ${count('warning', 'warning', 'warnings')}.`;
  if (healthy) return `${name}: healthy.`;
  return unknown === null || findings.length > 0
    ? `${name}: nothing to fix, but not confirmed yet.`
    : `${name}: no problem found.`;
}

function findingLines(finding: Finding, page: Page): string[] {
  const { code, severity, record, expected, found, hint, docs } = finding;
  const { paint } = page.output;
  const title = isReasonCode(code) ? REASONS[code].title : code;
  return [
    `${painted(SEVERITY_MARKS[severity] ?? UNKNOWN, plainText(severity), page.output)}: ${paint('bold', plainText(title))} ${paint('dim', `(${plainText(code)})`)}`,
    ...indentedFields(
      [
        ...(record === null ? [] : [['record', `${record.type} ${record.name}`] as const]),
        ...(record === null && found === null ? [] : [['found', found ?? 'nothing'] as const]),
        ['expected', expected],
        ['fix', hint],
      ],
      page,
      '  ',
    ),
    // The address has its own line, because a narrow terminal must not break it.
    `  ${paint('dim', plainText(docs))}`,
  ];
}

const UNKNOWN: StateMark = { mark: '?', style: 'bold' };
const SEVERITY_MARKS: Record<Finding['severity'], StateMark> = {
  error: BAD_MARK,
  warning: WARNING_MARK,
  info: { mark: '·', style: 'cyan' },
};

function zoneLines(
  { provider, name_servers, checked_at, path, issuance_lock = [] }: Diagnosis,
  page: Page,
): string[] {
  const panelUrl = PROVIDERS.find(({ id }) => id === provider?.id)?.panel_url;
  return indentedFields(
    [
      ['provider', provider === null ? 'unknown' : [provider.name, panelUrl].filter(Boolean).join(', ')],
      ['name servers', name_servers.length === 0 ? 'unknown' : name_servers.join(', ')],
      ['checked', page.output.time(checked_at)],
      // An older server returns neither `path` nor `issuance_lock`.
      ...(path ? [['path', pathText(path)] as const] : []),
      ...issuance_lock.map(({ name, value }) => ['CAA lock', `${name} CAA ${value}`] as const),
    ],
    page,
  );
}

function pathText({ hop, addresses }: NonNullable<Diagnosis['path']>): string {
  const words = Object.hasOwn(HOPS, hop) ? HOPS[hop as Hop] : hop;
  return addresses.length === 0 ? words : `${words} (${addresses.join(', ')})`;
}

function indentedFields(
  fields: readonly (readonly [name: string, value: string])[],
  { output: { paint }, width }: Page,
  indent = '',
): string[] {
  const printable = fields.map(([name, value]) => [name, plainText(value)] as const);
  return fieldLines(printable, { paint, width: width - indent.length }).map((line) => indent + line);
}

function lookupLines({ lookups }: Diagnosis, all: boolean, output: Formatting): string[] {
  if (lookups.length === 0) return ['No DNS lookups: test domains do not use real DNS.'];
  const shown = all ? lookups : lookups.filter(({ asked }) => asked !== 'probe');
  const left = lookups.length - shown.length;
  return [
    ...output.table(shown, all || output.width >= ROOM_FOR_NAMES ? COLUMNS : COLUMNS.filter(isNotName)),
    ...(left === 0
      ? []
      : [output.paint('dim', `${left} more ${left === 1 ? 'lookup' : 'lookups'}: add --lookups`)]),
  ];
}

const COLUMNS: readonly TableColumn<Lookup>[] = [
  { name: 'asked', value: ({ server }) => server, shrinks: true },
  { name: 'type', value: ({ type }) => type },
  { name: 'name', value: ({ name }) => name, shrinks: true },
  { name: 'answer', value: answerOf, shrinks: true },
  { name: 'ttl', value: ttlOf, optional: true },
];

/**
 * Below this width, the table leaves out the name column. The answers need the space, and the record type mostly shows which name was
 * looked up.
 */
const ROOM_FOR_NAMES = 90;

function isNotName({ name }: TableColumn<Lookup>): boolean {
  return name !== 'name';
}

function answerOf({ outcome, failure, ede, records }: Lookup): string {
  const valuesOf = (isCname: boolean) =>
    records.filter(({ type }) => (type === 'CNAME') === isCname).map(({ value }) => value);
  const end = valuesOf(false).join(', ');
  const words = {
    answer: end,
    nxdomain: 'no such name',
    nodata: 'no such record',
    unknown: [`unknown: ${failure}`, ...ede.map((code) => `EDE ${code}`)].join(', '),
  }[outcome];
  return [...valuesOf(true), ...(words === '' ? [] : [words])].join(' -> ');
}

function ttlOf({ records, negative_ttl_s }: Lookup): string {
  const ttlS = records[0]?.ttl_s ?? negative_ttl_s;
  return ttlS === null ? '-' : `${ttlS} s`;
}
