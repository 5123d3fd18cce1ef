import type { EventResource } from '../../shared/schema/event.ts';
import type { LocalAnswer } from './send-locally.ts';

/** One try to forward an event. */
export interface Forwarded {
  event: EventResource;
  attempt: number;
  answer: LocalAnswer;
  /** What becomes of it: done, waiting for a person, tried again by itself, or passed over. */
  outcome: 'accepted' | 'held' | 'repeating' | 'passed_over';
}

export interface LanesOptions {
  /** Sends an event; null when there is nothing to send any more. */
  send(event: EventResource): Promise<LocalAnswer | null>;
  report(forwarded: Forwarded): void;
  /** True where somebody can ask for a repetition; else a refused event is passed over, so that nothing waits for ever. */
  holds: boolean;
  pause(wait_ms: number): Promise<void>;
  signal: AbortSignal;
}

export interface Lanes {
  add(event: EventResource): void;
  /** Sends again what is held. @returns how many events. */
  repeat(): number;
  /** Passes over what is held. @returns how many events. */
  skip(): number;
  /** Events that are not sent yet. */
  waiting(): number;
}

interface Lane {
  events: EventResource[];
  attempts: number;
  is_held: boolean;
  is_running: boolean;
}

const LANES_AT_ONCE = 8;
/** A receiver that is being restarted is there again soon. */
const NOBODY_THERE_MS = 2_000;

/** Forwards the events of each domain one after the other, in order; domains do not wait for each other. */
export function createLanes({ send, report, holds, pause, signal }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let running = 0;

  function start(): void {
    for (const [id, lane] of lanes) {
      if (running >= LANES_AT_ONCE) return;
      if (lane.is_running || lane.is_held || signal.aborted) continue;
      lane.is_running = true;
      running += 1;
      void run(lane).finally(() => {
        running -= 1;
        lane.is_running = false;
        if (lane.events.length === 0) lanes.delete(id);
        start();
      });
    }
  }

  async function run(lane: Lane): Promise<void> {
    for (;;) {
      const [event] = lane.events;
      if (event === undefined || signal.aborted) return;
      const answer = await send(event);
      if (signal.aborted) return;
      lane.attempts += 1;
      const outcome = answer === null ? 'passed_over' : outcomeOf(answer);
      // Of a receiver that is away one line is enough.
      const is_news = outcome !== 'repeating' || lane.attempts === 1;
      if (answer !== null && is_news) report({ event, attempt: lane.attempts, answer, outcome });
      if (outcome === 'held') {
        lane.is_held = true;
        return;
      }
      if (outcome === 'repeating') await pause(NOBODY_THERE_MS);
      else next(lane);
    }
  }

  function outcomeOf({ status_code, error }: LocalAnswer): Forwarded['outcome'] {
    if (status_code !== null && status_code >= 200 && status_code < 300) return 'accepted';
    if (error === 'connection_failed') return 'repeating';
    return holds ? 'held' : 'passed_over';
  }

  function release(change: (lane: Lane) => void): number {
    const held = [...lanes.values()].filter(({ is_held }) => is_held);
    for (const lane of held) {
      lane.is_held = false;
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
        is_held: false,
        is_running: false,
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
