import { string } from '@oclif/core/flags';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { resolveDomain } from '../../arguments/find-domain.ts';
import { askHost, edgeOf, type Host, oldHostOf, readComparedHost } from '../../compare/ask-host.ts';
import {
  compareResponses,
  IGNORED_HEADERS,
  type ResponseDifference,
} from '../../compare/compare-responses.ts';
import { readFromEmulator } from '../../emulator/clock-ahead.ts';
import { GOOD_MARK, painted, WARNING_MARK } from '../../output/marks.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { patientFetch } from '../../runtime/patient-fetch.ts';

/** The exit code for a difference between the two responses. */
const DIFFERENT = 9;
/** The length in characters to which the text output cuts a value. */
const VALUE_MAX = 120;

/** The timeout of requests to an emulator. It is long, because a busy emulator, such as during a clock move, responds late. */
const BUSY_MS = 600_000;

interface Comparison {
  path: string;
  differences: ResponseDifference[];
}

export class DomainsCompare extends BaseCommand {
  static override description =
    "Requests the same paths of a hostname from the old host and from the edge, and shows differences of status, headers and body. Use it before you change the hostname's record. An address is a name or an IP address, with a port if it is not 443. Requests use HTTPS, unless the address starts with http://. Exit codes: 0 if the responses are equal, 9 if they differ.";
  static override examples = [
    '<%= config.bin %> domains compare careers.acme.com',
    "<%= config.bin %> domains compare careers.acme.com / /jobs '/search?q=a'",
    '<%= config.bin %> domains compare careers.acme.com --old 192.0.2.7 --ignore etag',
    '<%= config.bin %> domains compare careers.acme.com --old http://127.0.0.1:8080',
  ];
  static override strict = false;
  static override usage = 'domains compare HOSTNAME [PATH...]';
  static override flags = {
    old: string({
      summary: 'The old host; by default where the hostname leads now',
      helpValue: '<address>',
    }),
    edge: string({ summary: 'The edge; by default the target of the record', helpValue: '<address>' }),
    ignore: string({
      summary: 'Ignore this header, repeatable',
      helpValue: '<header>',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run(): Promise<number> {
    const { argv, flags } = await this.parse(DomainsCompare);
    const [name, ...given] = argv.map(String);
    if (name === undefined) throw usageError('No domain given.', 'Name a domain, and the paths to compare.');
    const paths = (given.length > 0 ? given : ['/']).map(readPath);
    const { client, settings } = await this.connect(flags);
    const domain = await resolveDomain(name, client);
    const { hostname } = domain;
    const edge =
      flags.edge === undefined
        ? ((await this.#edgeOfEmulator(settings.baseUrl)) ?? (await edgeOf(domain)))
        : readComparedHost(flags.edge, '--edge');
    const old =
      flags.old === undefined
        ? await oldHostOf(hostname, edge)
        : { ...readComparedHost(flags.old, '--old'), verifies: false };
    this.#warnWithoutCertificate(domain);
    const ignored = new Set([...IGNORED_HEADERS, ...(flags.ignore ?? []).map((each) => each.toLowerCase())]);
    const comparisons: Comparison[] = [];
    for (const path of paths) {
      const [before, after] = await Promise.all([
        askHost(old, hostname, path),
        askHost(edge, hostname, path),
      ]);
      comparisons.push({ path, differences: compareResponses(before, after, ignored) });
    }
    const addresses = { old: addressText(old), edge: addressText(edge) };
    this.output.result({ hostname, ...addresses, paths: comparisons }, () => [
      `${plainText(hostname)}: ${plainText(addresses.old)} (old), ${plainText(addresses.edge)} (edge)`,
      ...comparisons.flatMap((comparison) => this.#lines(comparison)),
    ]);
    return comparisons.every(({ differences }) => differences.length === 0) ? 0 : DIFFERENT;
  }

  /** Returns the edge of the emulator, with the CA that signed the edge's certificates. Returns null if the server is not an emulator. */
  async #edgeOfEmulator(baseUrl: string): Promise<Host | null> {
    const found = await readFromEmulator<{ certificate: string; edge_url: string }>(
      baseUrl,
      '/_emulator/ca',
      { fetch: patientFetch(baseUrl, this.output.note), timeoutMs: BUSY_MS },
    );
    if (typeof found?.edge_url !== 'string') return null;
    // The edge of an emulator serves HTTP and HTTPS on one port.
    return {
      ...readComparedHost(found.edge_url, 'The address of the edge'),
      protocol: 'https:',
      ca: found.certificate,
    };
  }

  #warnWithoutCertificate({ hostname, ready_to_switch, certificate }: DomainResource): void {
    if (ready_to_switch || certificate !== null) return;
    this.output.tell(
      `${plainText(hostname)} has no certificate yet, so the edge refuses its HTTPS requests. Wait until ready_to_switch is true.`,
    );
  }

  #lines({ path, differences }: Comparison): string[] {
    if (differences.length === 0)
      return [`${painted(GOOD_MARK, 'same   ', this.output)}  ${plainText(path)}`];
    return [
      `${painted(WARNING_MARK, 'differs', this.output)}  ${plainText(path)}`,
      ...differences.flatMap(({ part, name, old, edge }) => [
        `  ${plainText(name === null ? part : `${part} ${name}`)}`,
        `    old   ${valueText(old)}`,
        `    edge  ${valueText(edge)}`,
      ]),
    ];
  }
}

/** Returns the path as an HTTP request line contains it. @throws CliError `usage` */
function readPath(text: string): string {
  if (!text.startsWith('/') || text.startsWith('//')) {
    throw usageError(
      `${plainText(JSON.stringify(text))} is not a path.`,
      'Start each path with one slash, such as /jobs.',
    );
  }
  const { pathname, search } = new URL(text, 'https://hostname.invalid');
  return `${pathname}${search}`;
}

function addressText({ protocol, address, port }: Host): string {
  return `${protocol}//${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function valueText(value: string | null): string {
  const text = plainText(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
