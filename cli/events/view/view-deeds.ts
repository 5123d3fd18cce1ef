import type { Client } from '../../../shared/client/client.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import type { TextStream } from '../../settings/world.ts';
import { counted } from '../drawing/event-words.ts';
import { type EmulatorLink, triggersFrom } from '../emulator-link.ts';
import type { Pacer } from '../pacer.ts';
import { problemOf } from '../problem.ts';
import { createRedelivering } from '../redelivering.ts';
import type { Deed } from './press-key.ts';
import type { Notice } from './view-state.ts';
import type { ViewStore } from './view-store.ts';

export interface DeedOptions {
  store: ViewStore;
  client: Client;
  pacer: Pacer;
  /** Null until it is found, and with a hosted service. */
  emulator(): EmulatorLink | null;
  /** The signing secret that was given. */
  secret: string | null;
  terminal: TextStream;
  elapsed_ms(): number;
}

/** Does what keys ask for. Every answer and every error ends as a notice on the screen. */
export function createDeeds(options: DeedOptions): (deed: Deed) => Promise<void> {
  const { store, client, pacer, emulator } = options;
  const redelivering = createRedelivering(options);
  const tell = (text: string, tone: Notice['tone'] = 'plain') =>
    store.dispatch({ kind: 'told', notice: { text: plainText(text), tone } });

  return async (deed) => {
    try {
      await act(deed);
    } catch (error) {
      tell(problemOf(error), 'bad');
    }
  };

  async function act(deed: Deed): Promise<void> {
    switch (deed.do) {
      case 'load':
        return load(deed.event);
      case 'redeliver':
        await redelivering.one(deed.event);
        return isOpen(deed.event) ? load(deed.event) : undefined;
      case 'redeliver_all':
        return redelivering.all(deed.events);
      case 'stop_bulk':
        return redelivering.stop();
      case 'copy':
        return copy(deed.event);
      case 'open':
        return open(deed.event);
      case 'list_triggers':
        return listTriggers(deed.event);
      case 'trigger':
        return trigger(deed.event, deed.name);
      case 'next_due':
        return nextDue();
      case 'leave':
        return pacer.stop();
    }
  }

  async function load(event: EventResource): Promise<void> {
    try {
      const detail = await client.events.get(event.id);
      const secret = options.secret ?? emulator()?.webhook_secret ?? null;
      // Loads what nobody needs before a key is pressed, as opening does: the screen is there sooner.
      const { checkSignature } = await import('../check-signature.ts');
      const signature = await checkSignature(detail.body ?? null, secret, new Date());
      store.dispatch({ kind: 'loaded', event, content: { state: 'loaded', detail, signature } });
    } catch (error) {
      store.dispatch({ kind: 'loaded', event, content: { state: 'failed', problem: problemOf(error) } });
    }
  }

  /** OSC 52: the terminal, which may be far away, takes it to its clipboard, if it allows that. */
  function copy({ id }: EventResource): void {
    const text = plainText(id);
    options.terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
    tell(`Copied ${text}, if your terminal lets programs copy.`);
  }

  async function open({ domain_id }: EventResource): Promise<void> {
    const { connect_url } = await client.domains.get(domain_id);
    tell(`Opening ${connect_url}`);
    const { openUrl } = await import('../../runtime/open-url.ts');
    await openUrl(connect_url).catch((error) => tell(`${connect_url} - ${problemOf(error)}`, 'bad'));
  }

  async function listTriggers(event: EventResource): Promise<void> {
    const { status } = await client.domains.get(event.domain_id);
    // Whoever has gone on to something else is not called back.
    if (!['list', 'detail'].includes(store.get().panel.open)) return;
    store.dispatch({
      kind: 'opened',
      panel: { open: 'trigger', event, names: triggersFrom(status), chosen: 0 },
    });
  }

  async function trigger(event: EventResource, name: string): Promise<void> {
    await emulator()?.trigger(event.domain_id, name);
    tell(`${name} was triggered for ${event.hostname}.`, 'good');
    pacer.hurry();
  }

  async function nextDue(): Promise<void> {
    tell('Moving the clock …');
    const moved = await emulator()?.advance();
    if (moved) tell(`The clock is at ${plainTime(moved.now)}; ${counted(moved.steps, 'step')} done.`, 'good');
    pacer.hurry();
  }

  function isOpen({ id }: EventResource): boolean {
    const { panel } = store.get();
    return panel.open === 'detail' && panel.event.id === id;
  }
}
