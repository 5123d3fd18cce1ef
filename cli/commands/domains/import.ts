import path from 'node:path';
import { string } from '@oclif/core/args';
import { boolean, string as stringFlag } from '@oclif/core/flags';
import type { Client } from '../../../shared/client/client.ts';
import { durationMs, readText } from '../../arguments/read-values.ts';
import { readHostRows } from '../../import/host-rows.ts';
import { importHosts, importProgress, waitPrepared } from '../../import/import-hosts.ts';
import { type Journal, openJournal } from '../../import/journal.ts';
import { parseCsv } from '../../import/parse-csv.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError, usageError } from '../../runtime/cli-error.ts';

/** The text output lists at most this many hostnames. The result file and the JSON output list all hostnames. */
const HOSTNAMES_SHOWN = 10;
const STATUS_NOW = 'Then see which are live: nameplate domains list --all';
/** The exit code for a wait that has timed out (`exit-codes.ts`). */
const TIMED_OUT = 3;

export class DomainsImport extends BaseCommand {
  static override description =
    'Adds every hostname of a CSV file. Checks all rows before the first request. Writes the id, status and DNS records of each hostname to a result file. Run the same command again to resume: hostnames with a domain in the result file are skipped.';
  static override examples = [
    '<%= config.bin %> domains import hosts.csv --dry-run',
    '<%= config.bin %> domains import hosts.csv',
    '<%= config.bin %> domains import hosts.csv --prepare --timeout 12h',
    '<%= config.bin %> domains import - --result result.jsonl',
  ];
  static override args = {
    file: string({ description: 'The CSV file, or - for stdin', required: true }),
  };
  static override flags = {
    result: stringFlag({ summary: 'The result file; beside the CSV file by default', helpValue: '<file>' }),
    'dry-run': boolean({ summary: 'Check the rows and send nothing' }),
    prepare: boolean({ summary: 'Then wait until each hostname has its certificate' }),
    timeout: stringFlag({
      summary: 'How long --prepare waits',
      helpValue: '<duration>',
      default: '1h',
    }),
  };

  /** The path of the result file; null until the import has started. */
  #result: string | null = null;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsImport);
    const timeoutMs = durationMs(flags.timeout);
    const result = this.#resultFile(args.file, flags.result);
    const rows = await readHostRows(parseCsv(this.#open(args.file)));
    if (flags['dry-run']) {
      this.output.result({ dry_run: true, hostnames: rows.length }, () => [
        `The rows are valid. Hostnames to import: ${rows.length}. Nothing was sent.`,
      ]);
      return;
    }
    const { client, settings } = await this.connect(flags);
    const { id: appId } = await client.apps.get();
    const journal = openJournal(result, { base_url: settings.baseUrl, app_id: appId, mode: settings.mode });
    this.#result = result;
    const left = rows.filter(({ hostname }) => {
      const entry = journal.entries.get(hostname);
      return entry === undefined || 'error' in entry;
    });
    const progress = importProgress(this.world, this.output, left.length);
    let done = 0;
    try {
      await importHosts(left, {
        create: client.domains.create,
        sleep: this.world.sleep,
        done: (entry) => {
          journal.append(entry);
          progress.show(++done);
        },
      });
      if (left.length < rows.length) await recordPresentValues(journal, client);
    } finally {
      journal.close();
      await progress.close();
    }
    const refused = rows.flatMap(({ hostname }) => {
      const entry = journal.entries.get(hostname);
      return entry && 'error' in entry ? [entry] : [];
    });
    const counts = {
      hostnames: rows.length,
      imported: left.length - refused.length,
      skipped: rows.length - left.length,
      refused: refused.length,
    };
    const unprepared = flags.prepare ? await this.#prepare(rows, journal.entries, client, timeoutMs) : null;
    const { prose } = this.output;
    const document = {
      ...counts,
      result_file: result,
      errors: refused,
      ...(unprepared !== null && { without_certificate: unprepared }),
    };
    this.output.result(document, () => [
      ...prose(
        `${counts.imported} imported, ${counts.skipped} skipped from an earlier run, ${counts.refused} refused.`,
      ),
      ...refused
        .slice(0, HOSTNAMES_SHOWN)
        .flatMap(({ hostname, error }) =>
          prose(`${hostname}: ${plainText(error.code)}. ${plainText(error.message)}`),
        ),
      ...prose(`Result: ${plainText(result)}`),
      ...(unprepared === null ? [STATUS_NOW] : prose(preparedText(unprepared))),
    ]);
    if (refused.length > 0) return 1;
    return unprepared !== null && unprepared.length > 0 ? TIMED_OUT : undefined;
  }

  /** Waits for the certificates of the imported domains. Returns the hostnames that have no certificate after `timeoutMs`. */
  async #prepare(
    rows: readonly { hostname: string }[],
    entries: Journal['entries'],
    client: Client,
    timeoutMs: number,
  ): Promise<string[]> {
    const ids = new Set(
      rows.flatMap(({ hostname }) => {
        const entry = entries.get(hostname);
        return entry && 'id' in entry ? [entry.id] : [];
      }),
    );
    this.output.note(`Waiting for the certificates of ${ids.size} domains.`);
    const { show, close } = importProgress(this.world, this.output, ids.size);
    try {
      return await waitPrepared(ids, { list: client.domains.all, world: this.world, timeoutMs, show });
    } finally {
      close();
    }
  }

  override interruption(): CliError {
    if (this.#result === null) return super.interruption();
    return new CliError('interrupted', `Stopped. ${this.#result} has what is done.`, {
      fix: 'Run the same command again to resume.',
    });
  }

  #resultFile(file: string, result: string | undefined): string {
    if (result !== undefined) return path.resolve(this.world.cwd, result);
    if (file !== '-') return path.resolve(this.world.cwd, `${file}.result.jsonl`);
    throw usageError('An import from stdin has no default result file.', 'Name one with --result <file>.');
  }

  async *#open(file: string): AsyncGenerator<string> {
    yield await readText(file, this.world);
  }
}

/**
 * Updates the result file with the current DNS values of the domains from earlier runs. A domain's TXT value changes when another app goes
 * live at its hostname.
 */
async function recordPresentValues({ entries, append }: Journal, client: Client): Promise<void> {
  for await (const { hostname, id, status, dns } of client.domains.all({ limit: 100 })) {
    const entry = entries.get(hostname);
    if (entry === undefined || 'error' in entry || entry.id !== id) continue;
    if (JSON.stringify(entry.dns) !== JSON.stringify(dns)) append({ ...entry, status, dns });
  }
}

function preparedText(unprepared: readonly string[]): string {
  if (unprepared.length === 0) return 'Each domain has its certificate.';
  const more = unprepared.length - HOSTNAMES_SHOWN;
  const listed = unprepared.slice(0, HOSTNAMES_SHOWN).map(plainText).join(', ');
  return `Without a certificate: ${listed}${more > 0 ? ` and ${more} more` : ''}. Run the same command again to wait longer.`;
}
