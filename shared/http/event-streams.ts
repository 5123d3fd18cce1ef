import { HTTPResponse } from 'h3';
import { monotonicClock } from '../adapters/system.ts';
import { BUDGETS } from '../core/budgets.ts';
import { ServiceError } from '../core/errors.ts';
import { fractionOfFree } from '../core/fairness/fair-slots.ts';
import type { Credentials } from '../operations/accounts/authenticate.ts';
import type { Caller, Context } from '../operations/context.ts';
import { type EventFeed, openEventFeed } from '../operations/events/stream-events.ts';
import { type Alarm, createAlarm, pause } from '../ports/system.ts';
import type { StreamEventsQuery } from '../schema/event.ts';
import type { ResponseHeaders } from './handle-route.ts';

export interface StreamRequest {
  /** A context that reads the database through the account's share of connections. */
  own: Context;
  caller: Caller;
  query: StreamEventsQuery;
  lastEventId: string | null;
  headers: ResponseHeaders;
  /** Authenticates the key again. @throws ServiceError if the key is no longer valid. */
  admit(): Promise<Credentials>;
}

/** The event streams of a node (server-sent events). A notice wakes a stream, and polling makes up for lost notices. */
export interface EventStreams {
  open(request: StreamRequest): Promise<HTTPResponse>;
}

/** How often a stream reads new events without a notice, because notices can be lost. */
const POLL_MS = 5_000;
/**
 * How often a stream's key is authenticated again. Together with the time for which keys are cached, this ends the streams of a revoked key
 * within 5 s (`docs/api.md#authentication`), even if the notice is lost.
 */
const ADMIT_MS = 2_000;
/** Pause between two reads of events, so that a burst of events is sent together. */
const BURST_MS = 100;
const HEARTBEAT_MS = 15_000;
/** Longest duration of a stream. Streams end so that they spread over the nodes again. A client then resumes where it was. */
const STREAM_MS_MAX = 30 * 60_000;
const RETRY_MS = 1_000;

interface OpenStream {
  account_id: string;
  app_id: string;
  key_id: string;
  alarm: Alarm;
  ended: boolean;
}

/** The open streams of one node. */
interface NodeStreams {
  open: Set<OpenStream>;
  isEnding: boolean;
}

const byContext = new WeakMap<Context, NodeStreams>();

export function createEventStreams(context: Context): EventStreams {
  const streams = new Set<OpenStream>();
  const node: NodeStreams = { open: streams, isEnding: false };
  byContext.set(context, node);
  context.notices.subscribe((notice) => {
    if (notice.kind !== 'event' && notice.kind !== 'credentials' && notice.kind !== 'gap') return;
    for (const stream of streams) {
      if (notice.kind === 'gap' || notice.app_id === stream.app_id) stream.alarm.ring();
    }
  });
  return {
    async open(request) {
      const { caller, headers } = request;
      refuseTooMany(node, caller);
      const { account_id, app_id, key_id } = caller;
      const stream: OpenStream = { account_id, app_id, key_id, alarm: createAlarm(), ended: false };
      streams.add(stream);
      try {
        const feed = await openEventFeed(request.own, caller, request.query, request.lastEventId);
        headers['content-type'] = 'text/event-stream';
        // Without this header, nginx would delay frames until its buffer is full.
        headers['x-accel-buffering'] = 'no';
        const frames = framesOf(context, stream, feed, request.admit);
        return new HTTPResponse(
          streamOf(frames, () => close(streams, stream)),
          { status: 200, headers },
        );
      } catch (error) {
        close(streams, stream);
        throw error;
      }
    },
  };
}

/** Ends all streams of a node that shuts down. Clients resume at another node. */
export function endEventStreams(context: Context): void {
  const node = byContext.get(context);
  if (node === undefined) return;
  node.isEnding = true;
  for (const stream of node.open) close(node.open, stream);
}

function close(streams: Set<OpenStream>, stream: OpenStream): void {
  stream.ended = true;
  streams.delete(stream);
  stream.alarm.ring();
}

/**
 * Checks the limits on open streams of the key, the app and the account, and the account's share of the node's streams.
 * @throws ServiceError `rate_limited` or `service_unavailable`.
 */
function refuseTooMany({ open, isEnding }: NodeStreams, caller: Caller): void {
  const { key_streams: ofKey, app_streams: ofApp, account_streams: ofAccount, streams } = BUDGETS;
  const own = [...open].filter(({ account_id }) => account_id === caller.account_id);
  const sameApp = own.filter(({ app_id }) => app_id === caller.app_id);
  const sameKey = sameApp.filter(({ key_id }) => key_id === caller.key_id);
  if (sameKey.length >= ofKey.limit || sameApp.length >= ofApp.limit || own.length >= ofAccount.limit) {
    throw new ServiceError('rate_limited', {
      message: `At most ${ofKey.limit} event streams can be open for a key, ${ofApp.limit} for an app, and ${ofAccount.limit} for an account.`,
      fix: 'Close a stream, or share one between your programs.',
      retry_after_s: 5,
    });
  }
  const free = streams.of - open.size;
  if (isEnding || free <= 0 || !mayOpen(own.length, free, caller.account_id))
    throw new ServiceError('service_unavailable', { retry_after_s: 5 });
}

const mayOpen = fractionOfFree(BUDGETS.streams.parts);

/** Returns a stream of the frames. Makes a frame only once the client has taken the previous frame, so that no frames pile up. */
function streamOf(frames: AsyncGenerator<string>, onClosed: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await frames.next();
        if (value !== undefined && !done) return controller.enqueue(encoder.encode(value));
        onClosed();
        controller.close();
      },
      cancel: onClosed,
    },
    { highWaterMark: 0 },
  );
}

/** Yields the frames of a stream. Ends if the stream was closed, the key is no longer valid, or the store fails. */
async function* framesOf(
  context: Context,
  stream: OpenStream,
  feed: EventFeed,
  admit: StreamRequest['admit'],
): AsyncGenerator<string, void, undefined> {
  const beganAt = monotonicClock.now();
  let [polledAt, sentAt] = [Number.NEGATIVE_INFINITY, beganAt];
  let isWoken = true;
  yield `retry: ${RETRY_MS}\nid: ${feed.position()}\n\n`;
  try {
    while (!stream.ended && monotonicClock.now() - beganAt < STREAM_MS_MAX) {
      // The app is compared, because the key may belong to another app after a reset of the emulator.
      if ((await admit()).caller.app_id !== stream.app_id) return;
      if (isWoken || monotonicClock.now() - polledAt >= POLL_MS) {
        polledAt = monotonicClock.now();
        for await (const events of feed.look()) {
          if (stream.ended) return;
          sentAt = monotonicClock.now();
          yield events
            .map(({ event, position }) => `id: ${position}\ndata: ${JSON.stringify(event)}\n\n`)
            .join('');
        }
        await pause(BURST_MS);
      }
      if (monotonicClock.now() - sentAt >= HEARTBEAT_MS) {
        sentAt = monotonicClock.now();
        // The heartbeat contains the current position, so that a resuming client does not read events again that the filter skipped.
        yield `: heartbeat\nid: ${feed.position()}\n\n`;
      }
      const waitedFrom = monotonicClock.now();
      await stream.alarm.wait(ADMIT_MS);
      isWoken = monotonicClock.now() - waitedFrom < ADMIT_MS;
    }
  } catch (error) {
    // The head of the response was already sent, so the stream can only end. The client gets the error when it connects again.
    if (!stream.ended && !(error instanceof ServiceError))
      context.log.warn({ error, app_id: stream.app_id }, 'an event stream was interrupted');
  }
}
