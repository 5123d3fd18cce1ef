import type { Browser } from 'playwright-core';
import { drawDemo } from '../cli/draw-demo.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { drawGuide } from '../connect/draw-guide.ts';
import { drawReadme } from '../dashboard/draw-readme.ts';
import { drawComponent, drawConnect } from './connect.ts';
import { drawDashboard } from './dashboard.ts';
import { drawDocs } from './docs.ts';
import { drawLab } from './lab.ts';
import { drawMails } from './mails.ts';
import { drawTerminal } from './terminal.ts';

/**
 * `npm run pictures` draws every surface of the product from running parts, at 1280 and 375 pixels, in light and dark. Git tracks only the
 * pictures of the README and of the guides. `npm run pictures -- docs mails` draws these surfaces only.
 */
const SURFACES: Readonly<Record<string, (browser: Browser) => Promise<void>>> = {
  docs: drawDocs,
  dashboard: drawDashboard,
  lab: drawLab,
  connect: drawConnect,
  component: drawComponent,
  mails: drawMails,
  terminal: drawTerminal,
  readme: drawReadme,
  guide: drawGuide,
  demo: drawDemo,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in SURFACES));
if (unknown.length > 0)
  throw new Error(
    `There is no surface ${unknown.join(', ')}. Choose from ${Object.keys(SURFACES).join(', ')}.`,
  );
const browser = await launchChromium();
if (browser === null) throw new Error(NO_CHROMIUM);
try {
  for (const name of named.length > 0 ? named : Object.keys(SURFACES)) {
    console.log(name);
    await SURFACES[name]?.(browser);
  }
} finally {
  await browser.close();
}
