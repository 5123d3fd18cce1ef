import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { whyMissing } from '../fixtures/debian-package.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Flags that prevent background network requests and first-run pages. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const NO_CHROMIUM = 'there is no Chromium: apt-get install chromium, or set CHROMIUM to its program';

/**
 * Starts Chromium. If Chromium is missing, installs Debian's package. If that fails, throws in CI; elsewhere warns and returns null.
 */
export async function launchChromium(env = process.env): Promise<Browser | null> {
  const options = chromiumOptions();
  if (options !== null) return chromium.launch({ ...options, env });
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`SKIPPED: ${NO_CHROMIUM}`);
  return null;
}

/** Returns the launch options for Chromium. Installs Chromium first if it is missing. Returns null if the installation fails. */
export function chromiumOptions(): { executablePath: string; args: string[]; headless: boolean } | null {
  const executablePath = findChromium() ?? installChromium();
  return executablePath === null ? null : { executablePath, args: FLAGS, headless: true };
}

function findChromium(): string | null {
  return (
    [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => place !== '' && existsSync(place)) ?? null
  );
}

function installChromium(): string | null {
  const missing = whyMissing({ packages: ['chromium'], programs: ['/usr/bin/chromium'] });
  if (missing !== null) console.warn(missing);
  return findChromium();
}
