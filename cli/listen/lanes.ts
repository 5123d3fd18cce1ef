import type { EventResource } from '../../shared/schema/event.ts';
import type { LocalResponse } from './send-locally.ts';

/** One attempt to forward an event to the local receiver. */
export interface Forwarded {
  event: EventResource;
  attempt: number;
  response: LocalResponse;
  /**
   * `held`: the event waits until the user repeats or skips it. `repeating`: the event is retried automatically. `passed_over`: the event
   * is skipped.
   */
  outcome: 'accepted' | 'held' | 'repeating' | 'passed_over';
}

export interface LanesOptions {
  /** Sends an event. Returns null if it can no longer be sent. */
  send(event: EventResource): Promise<LocalResponse | null>;
  report(forwarded: Forwarded): void;
  /**
   * True if the user can repeat or skip a refused event with a key. If false, a refused event is skipped immediately, so that it does not
   * block later events.
   */
  holds: boolean;
  pause(waitMs: number): Promise<void>;
  signal: AbortSignal;
}

/** The lanes of all domains. A lane is the ordered queue of one domain's events. */
export interface Lanes {
  add(event: EventResource): void;
  /** Sends the events again that wait for the user's decision. Returns the number of events. */
  repeat(): number;
  /** Skips the events that wait for the user's decision. Returns the number of events. */
  skip(): number;
  /** Returns the number of events that are not sent yet. */
  waiting(): number;
}

interface Lane {
  events: EventResource[];
  attempts: number;
  isHeld: boolean;
  isRunning: boolean;
}

const LANES_AT_ONCE = 8;
/** The delay before a retry if nothing is listening. It is short, because a developer's receiver restarts quickly. */
const NOT_LISTENING_RETRY_MS = 2_000;

/** Creates the lanes, one queue for each domain. A lane sends its events one at a time, in order, and does not wait for other lanes. */
export function createLanes({ send, report, holds, pause, signal }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let running = 0;

  function start(): void {
    for (const [id, lane] of lanes) {
      if (running >= LANES_AT_ONCE) return;
      if (lane.isRunning || lane.isHeld || signal.aborted) continue;
      lane.isRunning = true;
      running += 1;
      void run(lane).finally(() => {
        running -= 1;
        lane.isRunning = false;
        if (lane.events.length === 0) lanes.delete(id);
        start();
      });
    }
  }

  async function run(lane: Lane): Promise<void> {
    for (;;) {
      const [event] = lane.events;
      if (event === undefined || signal.aborted) return;
      const response = await send(event);
      if (signal.aborted) return;
      lane.attempts += 1;
      const outcome = response === null ? 'passed_over' : outcomeOf(response);
      // While nothing is listening, report only the first attempt of an event.
      const isNews = outcome !== 'repeating' || lane.attempts === 1;
      if (response !== null && isNews) report({ event, attempt: lane.attempts, response, outcome });
      if (outcome === 'held') {
        lane.isHeld = true;
        return;
      }
      if (outcome === 'repeating') await pause(NOT_LISTENING_RETRY_MS);
      else next(lane);
    }
  }

  function outcomeOf({ status_code, error }: LocalResponse): Forwarded['outcome'] {
    if (status_code !== null && status_code >= 200 && status_code < 300) return 'accepted';
    if (error === 'connection_failed') return 'repeating';
    return holds ? 'held' : 'passed_over';
  }

  function release(change: (lane: Lane) => void): number {
    const held = [...lanes.values()].filter(({ isHeld }) => isHeld);
    for (const lane of held) {
      lane.isHeld = false;
      change(lane);
    }
    start();
    return held.length;
  }

  return {
    add(event) {
      const lane = lanes.get(event.domain_id) ?? {
        events: [],
        attempts: 0,
        isHeld: false,
        isRunning: false,
      };
      lane.events.push(event);
      lanes.set(event.domain_id, lane);
      start();
    },
    repeat: () => release(() => undefined),
    skip: () => release(next),
    waiting: () => [...lanes.values()].reduce((sum, { events }) => sum + events.length, 0),
  };
}

function next(lane: Lane): void {
  lane.events.shift();
  lane.attempts = 0;
}
