import { sql } from 'kysely';
import { timestamp } from '../../shared/core/instant.ts';
import { pause } from '../../shared/ports/system.ts';
import type { EmulatorComposition } from '../compose.ts';
import { presentClock } from '../control/clock.ts';
import type { ChangeMessage } from './responses.ts';

/** The interval between checks for changes. All changes within one interval cause one event. */
const POLL_MS = 250;
/** The number of checks without a change after which a heartbeat is sent, so that either side notices a lost connection. */
const POLLS_PER_HEARTBEAT = 40;
const RETRY_MS = 500;

/**
 * Streams server-sent events: one with the clock at the start, and one whenever anything in the emulator has changed. Events do not say
 * what changed; the page requests its data again.
 */
export function changeStream(emulator: EmulatorComposition): Response {
  const reader = { isGone: false };
  const frames = framesOf(emulator, reader);
  const encoder = new TextEncoder();
  const body = new ReadableStream(
    {
      async pull(controller) {
        const { value } = await frames.next();
        if (value !== undefined) controller.enqueue(encoder.encode(value));
        else if (!reader.isGone) controller.close();
      },
      cancel() {
        reader.isGone = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

async function* framesOf(
  emulator: EmulatorComposition,
  reader: { isGone: boolean },
): AsyncGenerator<string, undefined, undefined> {
  yield `retry: ${RETRY_MS}\n\n`;
  let sent = '';
  for (let polls = 1; !reader.isGone && !emulator.isClosed(); polls++) {
    const revision = await revisionOf(emulator);
    if (revision === null) break;
    if (revision !== sent) yield `data: ${JSON.stringify(await messageOf(emulator))}\n\n`;
    else if (polls % POLLS_PER_HEARTBEAT === 0) yield ': still here\n\n';
    sent = revision;
    await pause(POLL_MS);
  }
  return undefined;
}

async function messageOf(emulator: EmulatorComposition): Promise<ChangeMessage> {
  const dueAt = await emulator.runner.nextDue();
  return { clock: presentClock(emulator), next_due_at: dueAt === null ? null : timestamp(dueAt) };
}

/** Returns a text that differs after any change in the database or in memory. Returns null once the emulator is closed. */
async function revisionOf(emulator: EmulatorComposition): Promise<string | null> {
  const { context, clock, time, requests, mails, errors, chaos } = emulator;
  try {
    const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(context.store.db);
    const [request, mail] = [requests.list()[0], mails.list()[0]];
    return JSON.stringify([
      rows[0]?.count,
      clock.state.mode,
      time.currentMove(),
      request?.request_id,
      mail && [mail.message_id, mail.at],
      errors.list(),
      chaos.get(),
    ]);
  } catch (error) {
    if (emulator.isClosed()) return null;
    throw error;
  }
}
