import type { ClockHandle, Emulator } from './emulator.ts';
import type { RunningEmulator } from './run-emulator.ts';
import { DEFAULT_SECRETS } from './state/default-account.ts';

/** The properties of a running emulator that the CLI shows, without the methods that change the emulator's state. */
export interface ShownEmulator
  extends Pick<
    Emulator,
    keyof RunningEmulator['surface']['urls'] | 'ca' | 'keys' | 'webhookSecret' | 'appId' | 'close'
  > {
  clock: Pick<ClockHandle, 'mode' | 'offsetMs' | 'now'>;
}

export function showEmulator({ surface, close }: RunningEmulator): ShownEmulator {
  const { urls, ca, emulator } = surface;
  const { clock, defaultApp } = emulator;
  return {
    ...urls,
    get ca() {
      return ca.certificate;
    },
    keys: { test: DEFAULT_SECRETS.test_key, live: DEFAULT_SECRETS.live_key },
    get webhookSecret() {
      return defaultApp().webhookSecret;
    },
    get appId() {
      return defaultApp().id;
    },
    clock: {
      get mode() {
        return clock.state.mode;
      },
      get offsetMs() {
        return clock.offset_ms;
      },
      now: () => new Date(clock.now()),
    },
    close,
  };
}

/** The base URLs of a running emulator, without a trailing slash. */
export interface EmulatorUrls {
  url: string;
  /** HTTP URL of the edge. The same port also serves HTTPS. */
  edgeUrl: string;
  sandboxOrigin: string;
}
