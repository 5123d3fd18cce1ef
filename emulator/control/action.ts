import type { z } from 'zod';
import { readFields } from '../../shared/http/read-fields.ts';
import type { Composition } from '../compose.ts';
import type { LocalCa } from '../edge/local-ca.ts';
import type { ReadSeed } from '../seed/seed-schema.ts';
import type { EmulatorUrls } from '../urls.ts';

/** A call of the control surface, as its action gets it. */
export interface ControlCall {
  emulator: Composition;
  urls: EmulatorUrls;
  ca: LocalCa;
  /** What the emulator was started with, as it is now; null without one. */
  base_seed: () => Promise<ReadSeed | null>;
  /** Ends the emulator, once this call is answered. */
  stop: () => void;
  /** What stands at the path's one placeholder. */
  param: string;
  query: URLSearchParams;
  body: unknown;
}

/** @returns the answer's body, or a whole answer that is no JSON; null is 204. */
export type ControlAction = (call: ControlCall) => Promise<object | null>;

/** @throws ServiceError `validation_failed`. */
export function readAs<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  return readFields(schema, body) as z.output<T>;
}
