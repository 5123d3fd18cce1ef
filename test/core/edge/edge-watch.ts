import {
  createEdgeHealth,
  type Drained,
  type EdgeBeat,
  type EdgeHealth,
} from '../../../shared/core/edge/edge-health.ts';

export const NONE: ReadonlySet<string> = new Set();
export const V4 = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];

/** Returns the beat of a node that serves in the region `default`. */
export function beatOf(node: string, addresses: string[], rest: Partial<EdgeBeat> = {}): EdgeBeat {
  return { node, addresses, region: 'default', state: 'serving', ...rest };
}

/** A name server that hears one beat of each live node every second. */
export class Watch {
  now = 1_000_000;
  drained: Drained = NONE;
  isConnected = true;
  readonly health: EdgeHealth;

  constructor({
    configured = V4,
    regions = ['default'],
    remembered = null,
  }: Partial<Parameters<typeof createEdgeHealth>[0]> = {}) {
    this.health = createEdgeHealth({ configured, regions, remembered });
  }

  hear(...beats: EdgeBeat[]): void {
    const heard = beats.map((beat) => ({
      ...beat,
      heard_ms: 0,
      served_ms: beat.state === 'serving' ? 0 : null,
    }));
    this.health.hear(heard, this.now);
  }

  answers(): string[] {
    return [...this.health.answers(this.now, this.drained, this.isConnected)];
  }

  /** Moves the clock by some seconds. These nodes send a beat in each second. @returns the answers at the end. */
  pass(seconds: number, ...beats: EdgeBeat[]): string[] {
    for (let second = 0; second < seconds; second++) {
      this.now += 1000;
      this.hear(...beats);
      this.answers();
    }
    return this.answers();
  }
}
