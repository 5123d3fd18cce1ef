import { sql } from 'kysely';
import { pause } from '../../shared/ports/pause.ts';
import type { Composition } from '../compose.ts';
import { presentClock } from '../control/clock.ts';

/** Between two looks: what happens in between is one change. */
const LOOK_MS = 250;
/** So often something is sent, so that either side notices when the other is gone. */
const LOOKS_PER_HEARTBEAT = 40;
const RETRY_MS = 500;

/**
 * Server-sent events: one, with the clock, at the start and whenever anything in the emulator has changed. What has is not said;
 * a page asks again for what it shows.
 */
export function changeStream(emulator: Composition): Response {
  const reader = { is_gone: false };
  const frames = framesOf(emulator, reader);
  const encoder = new TextEncoder();
  const body = new ReadableStream(
    {
      async pull(controller) {
        const { value } = await frames.next();
        if (value !== undefined) controller.enqueue(encoder.encode(value));
        else if (!reader.is_gone) controller.close();
      },
      cancel() {
        reader.is_gone = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

async function* framesOf(
  emulator: Composition,
  reader: { is_gone: boolean },
): AsyncGenerator<string, undefined, undefined> {
  yield `retry: ${RETRY_MS}\n\n`;
  let told = '';
  for (let looks = 1; !reader.is_gone && !emulator.isClosed(); looks++) {
    const revision = await revisionOf(emulator);
    if (revision === null) break;
    if (revision !== told) yield `data: ${JSON.stringify({ clock: presentClock(emulator) })}\n\n`;
    else if (looks % LOOKS_PER_HEARTBEAT === 0) yield ': still here\n\n';
    told = revision;
    await pause(LOOK_MS);
  }
  return undefined;
}

/** Differs when anything differs: every row that is written counts, and so does what only memory holds. Null once it is closed. */
async function revisionOf(emulator: Composition): Promise<string | null> {
  const { context, clock, time, requests, mails, errors, chaos } = emulator;
  try {
    const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(context.store.db);
    const [request, mail] = [requests.list()[0], mails.list()[0]];
    return JSON.stringify([
      rows[0]?.count,
      clock.state.mode,
      time.underWay(),
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
