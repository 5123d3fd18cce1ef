import { string } from '@oclif/core/flags';
import { domainArg, resolveDomain } from '../../arguments/find-domain.ts';
import { durationMs } from '../../arguments/read-values.ts';
import { diagnoseLocally, lookupFlags } from '../../diagnose/diagnose-locally.ts';
import { type LeadsTo, type ServerAnswer, serverAnswers } from '../../diagnose/server-answers.ts';
import { plainText } from '../../output/plain-text.ts';
import { createProgress } from '../../output/progress.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError, usageError } from '../../runtime/cli-error.ts';

const INTERVAL_MS = 10_000;

const LEADS_TEXT: Readonly<Record<LeadsTo, string>> = {
  edge: 'the edge',
  elsewhere: 'elsewhere',
  nowhere: 'nowhere: no address',
  blocked: 'nowhere: it blocks this name',
  unknown: 'unknown: no usable answer',
};

export class DomainsWatchSwitch extends BaseCommand {
  static override description =
    "Watches a hostname while its record changes: where each of the zone's name servers and each resolver sends visitors, and the status of the domain. Ends when all of them lead to the edge and the domain is active. Exit code 3 if the timeout passes first.";
  static override examples = [
    '<%= config.bin %> domains watch-switch careers.acme.com',
    '<%= config.bin %> domains watch-switch careers.acme.com --resolver 1.1.1.1 --timeout 2h',
  ];
  static override args = domainArg;
  static override flags = {
    ...lookupFlags,
    timeout: string({ summary: 'How long to watch', helpValue: '<duration>', default: '1h' }),
  };

  /** The last printed text for each server and for `status`. */
  readonly #seen = new Map<string, string>();

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsWatchSwitch);
    const timeoutMs = durationMs(flags.timeout);
    const { client, settings } = await this.connect(flags);
    const { id, hostname, mode } = await resolveDomain(args.domain, client);
    if (mode === 'test') {
      throw usageError(
        'A test domain has no DNS to watch.',
        'Use a live key, or watch its status with nameplate domains wait.',
      );
    }
    this.waitsFor = args.domain;
    const startedMs = this.world.elapsedMs();
    const progress = createProgress(this.world, this.output);
    try {
      for (;;) {
        const { answers, status } = await look();
        for (const [server, answer] of answers) this.#tell(server, answerText(answer));
        this.#tell('status', plainText(status));
        const watchedMs = this.world.elapsedMs() - startedMs;
        if (status === 'active' && isComplete(answers)) {
          const servers = [...answers].map(([server, { leads }]) => ({ server, leads }));
          this.output.result({ hostname, status, servers, watched_ms: watchedMs }, () => [
            `${plainText(hostname)} has moved: all servers lead to the edge.`,
          ]);
          return;
        }
        if (watchedMs >= timeoutMs) throw ranOut(hostname, answers, status);
        progress?.show({
          items: [...answers].map(([server, answer]) => ({
            name: plainText(server),
            parts: [{ text: answerText(answer), style: answer.leads === 'edge' ? 'green' : 'yellow' }],
            notes: [],
          })),
          hint: `${plainText(hostname)} is ${plainText(status)}; watched for ${Math.floor(watchedMs / 1000)} s; Ctrl-C stops watching`,
        });
        await this.world.sleep(Math.min(INTERVAL_MS, timeoutMs - watchedMs));
      }
    } finally {
      await progress?.close();
    }

    /** Looks the hostname up from this machine, and reads the domain from the API. */
    async function look() {
      const [domain, app] = await Promise.all([client.domains.get(id), client.apps.get()]);
      const { diagnosis, edge } = await diagnoseLocally({
        hostname,
        domain,
        app,
        target: undefined,
        addresses: [],
        resolvers: flags.resolver,
        authorityPort: flags['authority-port'],
        docsUrl: `${settings.baseUrl}/docs`,
      });
      return { answers: serverAnswers(diagnosis, edge), status: domain.status };
    }
  }

  /** Prints the text for a server or for `status`, if the text has changed. */
  #tell(subject: string, text: string): void {
    const before = this.#seen.get(subject);
    if (before === text) return;
    this.#seen.set(subject, text);
    const time = new Date().toISOString().slice(11, 19);
    const { paint, note } = this.output;
    note(
      `${paint('dim', `${time}Z`)}  ${plainText(subject)}: ${before === undefined ? '' : `${before} → `}${text}`,
    );
  }
}

/** Returns true if a server has answered and all answers point to the edge. Ignores servers that do not answer or that block the name. */
function isComplete(answers: ReadonlyMap<string, ServerAnswer>): boolean {
  const known = [...answers.values()].filter(({ leads }) => leads !== 'unknown' && leads !== 'blocked');
  return known.length > 0 && known.every(({ leads }) => leads === 'edge');
}

function answerText({ leads, ttlS }: ServerAnswer): string {
  return (
    LEADS_TEXT[leads] + (leads !== 'edge' && ttlS !== null ? ` (cached for up to ${cacheText(ttlS)})` : '')
  );
}

/** Rounds times up to minutes, so that a new line is printed for a change and not for each passing second. */
function cacheText(ttlS: number): string {
  return `${Math.max(1, Math.ceil(ttlS / 60))} min`;
}

function ranOut(hostname: string, answers: ReadonlyMap<string, ServerAnswer>, status: string): CliError {
  const late = [...answers].filter(([, { leads }]) => leads !== 'edge').map(([server]) => server);
  const why =
    late.length > 0 ? `These do not lead to the edge: ${late.join(', ')}` : `Its status is ${status}`;
  return new CliError('wait_ran_out', plainText(`${hostname} has not moved yet. ${why}.`), {
    fix: 'Run nameplate domains diagnose to see why, or watch longer with --timeout.',
  });
}
