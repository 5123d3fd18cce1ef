import { spawn } from 'node:child_process';
import type { Client } from '../../../shared/client/client.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { plainText, plainTime, visibleText } from '../../output/plain-text.ts';
import { problemOf } from '../../runtime/error-presenter.ts';
import { openUrl } from '../../runtime/open-url.ts';
import type { FooterNotice } from '../../screen/footer.tsx';
import type { CliSettings } from '../../settings/settings.ts';
import type { TextStream, World } from '../../settings/world.ts';
import { type EmulatorLink, triggersFrom } from '../emulator-link.ts';
import { counted } from '../event-words.ts';
import type { Pacer } from '../pacer.ts';
import { createRedelivering } from '../redelivering.ts';
import type { ViewCommand } from '../view/keys/key-steps.ts';
import {
  type DetailContent,
  type DiagnosisContent,
  domainPanel,
  type Panel,
  type ViewStore,
} from '../view/view-state.ts';
import { checkSignature, curlOfApi, curlOfEvent } from './event-request.ts';
import type { DomainCommands } from './load-rows.ts';

export interface ViewCommandOptions {
  store: ViewStore;
  client: Client;
  domains: DomainCommands;
  pacer: Pacer;
  /** Returns the emulator; null for a hosted server, and until the view knows that the server is an emulator. */
  emulator(): EmulatorLink | null;
  settings: CliSettings;
  /** The signing secret from the flag or the environment. */
  secret: string | null;
  loadPast(): Promise<void>;
  /** Reads the emulator's clock. Called after a command has moved the clock. */
  readClock(): Promise<void>;
  world: World;
}

/** Creates the function that runs the commands of keys, and shows each result or error as a notice. */
export function createCommandRunner(options: ViewCommandOptions): (command: ViewCommand) => Promise<void> {
  const { store, client, domains, pacer, emulator, settings, world } = options;
  const redelivering = createRedelivering({ store, client, pacer, elapsedMs: world.elapsedMs });
  const showNotice = (text: string, tone: FooterNotice['tone'] = 'plain') =>
    store.dispatch({ kind: 'noticed', notice: { text, tone } });

  const commands: { [Name in ViewCommand['do']]: (command: ViewCommand & { do: Name }) => unknown } = {
    leave: pacer.stop,
    load: ({ event }) => load(event),
    load_past: options.loadPast,
    async redeliver({ event }) {
      await redelivering.one(event);
      if (store.get().detail?.id === event.id) await load(event);
    },
    redeliver_all: ({ events }) => redelivering.all(events),
    stop_bulk: redelivering.stop,
    async copy({ texts }) {
      const text = texts.map(plainText).join('\n');
      const isSure = await copyText(text, world.stdout, world.env);
      const what = texts.length === 1 ? text : counted(texts.length, 'id');
      showNotice(`Copied ${what}${isSure ? '.' : ', if your terminal lets programs copy.'}`);
    },
    async curl_event({ event: { id } }) {
      const [event, { webhook_url: url }] = await Promise.all([client.events.get(id), client.apps.get()]);
      if (url === null || event.body === null) {
        const why = url === null ? 'The app has no webhook URL' : 'The server no longer has the body';
        return showCopied(
          curlOfApi(settings.baseUrl, `/v1/events/${id}`),
          `${why}: the command asks the API instead.`,
        );
      }
      // JSON escapes make control characters visible, and the document stays equivalent.
      const body = visibleText(event.body);
      // In live mode, the curl command has no signature: anyone who saw it could send a valid webhook for five minutes.
      const signature = settings.mode === 'live' ? null : await sign(body);
      const isSigned = signature?.ok === true;
      const note = isSigned
        ? 'Its signature is valid for five minutes.'
        : 'It has no signature: add the header that nameplate webhooks sign prints.';
      return showCopied(curlOfEvent({ event, url, body, signature }), note);
    },
    curl_domain: ({ domain }) => showCopied(curlOfApi(settings.baseUrl, `/v1/domains/${domain.id}`), ''),
    async open({ domainId }) {
      const { connect_url } = await client.domains.get(domainId);
      showNotice(`Opening ${connect_url}`);
      await openUrl(connect_url).catch((error) => showNotice(`${connect_url} - ${problemOf(error)}`, 'bad'));
    },
    async list_triggers({ domain }) {
      const { status } = await client.domains.get(domain.id);
      // Do not interrupt a user who has meanwhile opened another panel, such as a prompt.
      if (!['list', 'detail', 'domain'].includes(store.get().panel.open)) return;
      openPanel({ open: 'trigger', domain, names: triggersFrom(status), chosen: 0 });
    },
    async trigger({ domain: { id, hostname }, name }) {
      await emulator()?.trigger(id, name);
      showNotice(`Triggered ${name} for ${hostname}.`, 'good');
      pacer.hurry();
      await domains.refresh();
    },
    async next_due() {
      showNotice('Moving the clock …');
      const moved = await emulator()?.advance();
      await options.readClock();
      if (moved)
        showNotice(`The clock is at ${plainTime(moved.now)}. Did ${counted(moved.steps, 'step')}.`, 'good');
      pacer.hurry();
      await domains.refresh();
    },
    async show_domain({ id }) {
      try {
        openPanel(domainPanel(await client.domains.get(id)));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        showNotice('The domain is deleted.');
      }
    },
    load_domains: ({ filter, place }) => domains.load(filter, place),
    async diagnose({ domain: { id } }) {
      let diagnosis: DiagnosisContent;
      try {
        diagnosis = { state: 'loaded', diagnosis: await client.domains.diagnose(id) };
      } catch (error) {
        diagnosis = { state: 'failed', problem: problemOf(error) };
      }
      store.dispatch({ kind: 'diagnosed', id, diagnosis });
    },
    async verify({ domain: { id, hostname } }) {
      await client.domains.verify(id);
      showNotice(`Queued a check of ${hostname}.`, 'good');
      await domains.refresh();
    },
  };

  return async (command) => {
    try {
      await (commands[command.do] as (command: ViewCommand) => unknown)(command);
    } catch (error) {
      showNotice(problemOf(error), 'bad');
    }
  };

  function openPanel(panel: Panel): void {
    store.dispatch({ kind: 'opened', panel });
  }

  async function load({ id }: EventResource): Promise<void> {
    let content: DetailContent;
    try {
      const [detail, { webhook_url: webhookUrl }] = await Promise.all([
        client.events.get(id),
        client.apps.get(),
      ]);
      const signature = await sign(detail.body ?? null);
      content = { state: 'loaded', detail, signature, webhookUrl };
    } catch (error) {
      content = { state: 'failed', problem: problemOf(error) };
    }
    store.dispatch({ kind: 'set', fields: { detail: { id, content } } });
  }

  async function sign(body: string | null) {
    const secret = options.secret ?? emulator()?.webhookSecret ?? null;
    return checkSignature(body, secret, new Date());
  }

  /** Copies a command to the clipboard and shows it. If the copy is not confirmed, the view prints the command when it closes. */
  async function showCopied(command: string, note: string): Promise<void> {
    const isSure = await copyText(command, world.stdout, world.env);
    store.dispatch({ kind: 'set', fields: { copied: isSure ? null : command } });
    openPanel({ open: 'text', title: 'curl', text: command });
    const hint = isSure
      ? 'Copied.'
      : 'Copied, if your terminal lets programs copy. The view also prints it when you quit.';
    showNotice([hint, note].filter(Boolean).join(' '));
  }
}

/**
 * Copies a text to the clipboard with the escape sequence OSC 52, which also works over SSH if the terminal allows it. Outside SSH, also
 * runs the system's clipboard program. Returns true if that program succeeded. OSC 52 gives no confirmation.
 */
async function copyText(text: string, terminal: TextStream, env: World['env']): Promise<boolean> {
  terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  const [program, ...args] = clipboardProgram(env);
  if (program === undefined) return false;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    // Ignores the broken pipe of a program that ends before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

/** Returns the command line of the system's clipboard program. Empty in an SSH session, because the user pastes on another machine. */
export function clipboardProgram(env: World['env'], platform: string = process.platform): string[] {
  if (env['SSH_CONNECTION']) return [];
  if (platform === 'darwin') return ['pbcopy'];
  if (platform === 'win32') return ['clip'];
  if (env['WAYLAND_DISPLAY']) return ['wl-copy'];
  return env['DISPLAY'] ? ['xclip', '-selection', 'clipboard'] : [];
}
