import { createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { proxyFor } from '../../shared/client/proxy.ts';
import type { Fetch } from '../../shared/client/request.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import { chooseEmulator, type EmulatorChoice } from '../emulator/emulator-choice.ts';
import { BAD_MARK, GOOD_MARK, type StateMark, WARNING_MARK } from '../output/marks.ts';
import { plainText, withoutSecrets } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { describeError } from '../runtime/error-presenter.ts';
import { isUnencrypted } from '../settings/base-url.ts';
import {
  type CliSettings,
  configWarning,
  resolveSettings,
  type SettingsFlags,
} from '../settings/settings.ts';
import type { World } from '../settings/world.ts';

export class Doctor extends BaseCommand {
  static override description =
    "Checks what commands depend on: Node, the stored keys, the proxy, the server, the key, the clock, and the app's own state. It changes nothing and shows no key. It ends with the exit code of the first problem.";
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --profile production --json',
  ];

  async run(): Promise<number | undefined> {
    const { flags } = await this.parse(Doctor);
    const findings = [
      ...(await checkMachine(this.config.version, this.world)),
      ...(await checkServer(flags, this.world)),
    ];
    const data: DoctorFinding[] = JSON.parse(withoutSecrets(JSON.stringify(findings)));
    const width = Math.max(...data.map(({ check }) => check.length));
    this.output.result({ data }, () =>
      data.flatMap(({ check, result, found, fix }) => [
        `${this.output.paint(MARKS[result].style, MARKS[result].mark)} ${check.padEnd(width)}  ${plainText(found)}`,
        ...(fix === undefined ? [] : [`  ${' '.repeat(width)}  ${plainText(fix)}`]),
      ]),
    );
    return data.find(({ result }) => result === 'problem')?.exit;
  }
}

const MARKS: Readonly<Record<DoctorFinding['result'], StateMark>> = {
  ok: GOOD_MARK,
  warning: WARNING_MARK,
  problem: BAD_MARK,
};

const NODE_MAJOR_MIN = 24;

/** Runs the checks that need no server: versions, stored keys, the proxy, and running emulators. */
async function checkMachine(version: string, world: World): Promise<DoctorFinding[]> {
  return [
    ok('nameplate', version),
    node(),
    config(world),
    proxy(world),
    ok('emulator', emulators(await chooseEmulator(world))),
  ];
}

function emulators({ chosen, running }: EmulatorChoice): string {
  if (running.length > 1) {
    const target = chosen === null ? 'commands need --base-url' : `commands in this folder use ${chosen.url}`;
    return `${running.length} running (nameplate emulator list); ${target}`;
  }
  return chosen === null ? 'not running' : `running at ${chosen.url}`;
}

function node(): DoctorFinding {
  const { version, platform, arch } = process;
  const found = `${version} on ${platform}-${arch}`;
  const isNewEnough = Number.parseInt(version.slice(1), 10) >= NODE_MAJOR_MIN;
  return isNewEnough
    ? ok('node', found)
    : problem('node', found, `Install Node ${NODE_MAJOR_MIN} or newer.`, 1);
}

function config(world: World): DoctorFinding {
  const others = configWarning(world);
  return others === null
    ? ok('stored keys', 'readable by you only')
    : warning('stored keys', 'readable by other users', others.replace(/^Warning: /, ''));
}

/** Reports only the proxy's host, because the proxy's URL may contain a password. */
function proxy({ env }: World): DoctorFinding {
  const found = ['https://server.example', 'http://server.example']
    .map((url) => proxyFor(new URL(url), { ...env, no_proxy: '' }))
    .find((each) => each !== null);
  if (found === undefined) return ok('proxy', 'none');
  const { variable, host, problem } = found;
  return problem === null
    ? ok('proxy', `${host} (${variable}), except for addresses of this machine`)
    : warning('proxy', `${variable} cannot be used: ${problem}`, `Correct ${variable}, or unset it.`);
}

/** The result of one check of `doctor`. */
interface DoctorFinding {
  check: string;
  result: 'ok' | 'warning' | 'problem';
  found: string;
  /** How to fix a warning or a problem. */
  fix?: string;
  /** The exit code of `doctor` if this check found a problem. */
  exit?: number;
}

function ok(check: string, found: string): DoctorFinding {
  return { check, result: 'ok', found };
}

function warning(check: string, found: string, fix: string): DoctorFinding {
  return { check, result: 'warning', found, fix };
}

function problem(check: string, found: string, fix: string, exit: number): DoctorFinding {
  return { check, result: 'problem', found, fix, exit };
}

/**
 * Checks the settings, the key, the server's response, the clock, and the app's own state. Stops if a check fails that the next one needs.
 */
async function checkServer(flags: SettingsFlags, world: World): Promise<DoctorFinding[]> {
  let settings: CliSettings;
  try {
    settings = await resolveSettings(flags, world);
  } catch (error) {
    return [failed('key and server', error)];
  }
  const { baseUrl, baseUrlFrom, apiKeyFrom, mode } = settings;
  const found = [
    isUnencrypted(baseUrl)
      ? warning(
          'server',
          `${baseUrl}, from ${baseUrlFrom}`,
          'Use https, because http sends the key unencrypted.',
        )
      : ok('server', `${baseUrl}, from ${baseUrlFrom}`),
    ok('key', `${mode} mode, from ${apiKeyFrom}`),
  ];
  const seen: { date: string | null; took_ms: number } = { date: null, took_ms: 0 };
  const fetch: Fetch = async (url, init) => {
    const startedAt = performance.now();
    const response = await nodeFetch(url, init);
    Object.assign(seen, {
      date: response.headers.get('date'),
      took_ms: Math.round(performance.now() - startedAt),
    });
    return response;
  };
  const { apiKey } = settings;
  try {
    const app = await createClient({ baseUrl, apiKey, fetch, retries: 0, timeoutMs: 10_000 }).apps.get();
    found.push(ok('response', `${app.name} in ${seen.took_ms} ms`), ...clock(seen.date), ...appFindings(app));
  } catch (error) {
    found.push(failed('response', error), ...clock(seen.date));
  }
  return found;
}

function failed(check: string, error: unknown): DoctorFinding {
  const { message, fix, exit } = describeError(error);
  return problem(check, message, fix, exit);
}

/**
 * Compares this machine's clock with the server's. A receiver refuses a signature whose time is more than 300 s from its own clock
 * (`docs/api.md#webhooks`).
 */
function clock(date: string | null): DoctorFinding[] {
  const server = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(server)) return [];
  const offS = Math.round((Date.now() - server) / 1000);
  const found =
    Math.abs(offS) <= 1 ? 'in sync' : `${Math.abs(offS)} s ${offS > 0 ? 'ahead of' : 'behind'} the server`;
  if (Math.abs(offS) <= LIMITS.signature_tolerance_s / 10) return [ok('clock', found)];
  return [warning('clock', found, "Set this machine's clock. Webhook signatures are checked against it.")];
}

function appFindings({
  webhook_url,
  origin_url,
  origin_unreachable,
  origin_status_reason,
}: AppResource): DoctorFinding[] {
  const webhook =
    webhook_url === null
      ? warning(
          'webhooks',
          'no webhook_url set',
          'Run nameplate apps update --webhook <url>, or use nameplate listen.',
        )
      : ok('webhooks', webhook_url);
  if (origin_url === null)
    return [webhook, warning('origin', 'not set', 'Run nameplate apps update --origin <url>.')];
  return origin_unreachable
    ? [
        webhook,
        warning(
          'origin',
          `${origin_url} is unreachable (${origin_status_reason})`,
          'Check that it is running and that the internet can reach it.',
        ),
      ]
    : [webhook, ok('origin', origin_url)];
}
