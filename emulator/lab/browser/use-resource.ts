import { type Resource, useReading } from '../../../shared/dashboard/browser/reading.ts';
import { askEmulator, CONTROL } from './ask.ts';

/** Reads a path of the control surface, and again whenever the emulator changes. @param path null reads nothing. */
export function useEmulatorResource<T>(path: string | null): Resource<T> {
  return useReading<T>(askEmulator, CONTROL, path);
}
