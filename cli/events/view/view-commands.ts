import type { Client } from '../../../shared/client/client.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import type { TextStream } from '../../settings/world.ts';
import { counted } from '../drawing/event-words.ts';
import { type EmulatorLink, triggersFrom } from '../emulator-link.ts';
import type { Pacer } from '../pacer.ts';
import { problemOf } from '../problem.ts';
import { createRedelivering } from '../redelivering.ts';
import type { ViewCommand } from './press-key.ts';
import type { ViewNotice } from './view-state.ts';
import type { ViewStore } from './view-store.ts';

export interface ViewCommandOptions {
  store: ViewStore;
  client: Client;
  pacer: Pacer;
  /** Returns the emulator; null until it is found, and for a hosted server. */
  emulator(): EmulatorLink | null;
  /** The signing secret from the flag or the environment. */
  secret: string | null;
  terminal: TextStream;
  elapsedMs(): number;
}

/** Creates the function that runs the commands of keys. It shows every result and every error as a notice. */
export function createCommandRunner(options: ViewCommandOptions): (command: ViewCommand) => Promise<void> {
  const { store, client, pacer, emulator } = options;
  const redelivering = createRedelivering(options);
  const showNotice = (text: string, tone: ViewNotice['tone'] = 'plain') =>
    store.dispatch({ kind: 'noticed', notice: { text: plainText(text), tone } });

  return async (command) => {
    try {
      await act(command);
    } catch (error) {
      showNotice(problemOf(error), 'bad');
    }
  };

  async function act(command: ViewCommand): Promise<void> {
    switch (command.do) {
      case 'load':
        return load(command.event);
      case 'redeliver':
        await redelivering.one(command.event);
        return isOpen(command.event) ? load(command.event) : undefined;
      case 'redeliver_all':
        return redelivering.all(command.events);
      case 'stop_bulk':
        return redelivering.stop();
      case 'copy':
        return copy(command.event);
      case 'open':
        return open(command.event);
      case 'list_triggers':
        return listTriggers(command.event);
      case 'trigger':
        return trigger(command.event, command.name);
      case 'next_due':
        return nextDue();
      case 'leave':
        return pacer.stop();
    }
  }

  async function load(event: EventResource): Promise<void> {
    try {
      const detail = await client.events.get(event.id);
      const secret = options.secret ?? emulator()?.webhookSecret ?? null;
      // Imported lazily, so that the screen appears sooner.
      const { checkSignature } = await import('../check-signature.ts');
      const signature = await checkSignature(detail.body ?? null, secret, new Date());
      store.dispatch({ kind: 'loaded', event, content: { state: 'loaded', detail, signature } });
    } catch (error) {
      store.dispatch({ kind: 'loaded', event, content: { state: 'failed', problem: problemOf(error) } });
    }
  }

  /** Copies the id with OSC 52, which also reaches the clipboard of a remote terminal, if the terminal allows it. */
  function copy({ id }: EventResource): void {
    const text = plainText(id);
    options.terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
    showNotice(`Copied ${text}, if your terminal lets programs copy.`);
  }

  async function open({ domain_id }: EventResource): Promise<void> {
    const { connect_url } = await client.domains.get(domain_id);
    showNotice(`Opening ${connect_url}`);
    const { openUrl } = await import('../../runtime/open-url.ts');
    await openUrl(connect_url).catch((error) => showNotice(`${connect_url} - ${problemOf(error)}`, 'bad'));
  }

  async function listTriggers(event: EventResource): Promise<void> {
    const { status } = await client.domains.get(event.domain_id);
    // The user is not interrupted, because another panel may be open by now.
    if (!['list', 'detail'].includes(store.get().panel.open)) return;
    store.dispatch({
      kind: 'opened',
      panel: { open: 'trigger', event, names: triggersFrom(status), chosen: 0 },
    });
  }

  async function trigger(event: EventResource, name: string): Promise<void> {
    await emulator()?.trigger(event.domain_id, name);
    showNotice(`Triggered ${name} for ${event.hostname}.`, 'good');
    pacer.hurry();
  }

  async function nextDue(): Promise<void> {
    showNotice('Moving the clock …');
    const moved = await emulator()?.advance();
    if (moved)
      showNotice(`The clock is at ${plainTime(moved.now)}. Did ${counted(moved.steps, 'step')}.`, 'good');
    pacer.hurry();
  }

  function isOpen({ id }: EventResource): boolean {
    const { panel } = store.get();
    return panel.open === 'detail' && panel.event.id === id;
  }
}
