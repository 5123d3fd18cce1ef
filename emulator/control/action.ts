import type { z } from 'zod';
import { readFields } from '../../shared/http/read-fields.ts';
import type { EmulatorComposition } from '../compose.ts';
import type { LocalCa } from '../edge/local-ca.ts';
import type { ReadSeed } from '../seed/seed-schema.ts';
import type { EmulatorUrls } from '../shown-emulator.ts';

/** The argument of an action of the control surface: the emulator and the parsed request. */
export interface ControlCall {
  emulator: EmulatorComposition;
  urls: EmulatorUrls;
  ca: LocalCa;
  /** Reads the seed that the emulator was started with. Returns null if it was started without a seed. */
  base_seed: () => Promise<ReadSeed | null>;
  /** Stops the emulator once the response to this call is sent. */
  stop: () => void;
  /** The value of the placeholder in the route's path. */
  param: string;
  query: URLSearchParams;
  body: unknown;
}

/** @returns the body of a JSON response, a whole response that is not JSON, or null for a 204. */
export type ControlAction = (call: ControlCall) => Promise<object | null>;

/** Validates a request body by a schema. @throws ServiceError `validation_failed`. */
export function readAs<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  return readFields(schema, body) as z.output<T>;
}
