import type { Texts } from '../catalog.ts';
import { FINDINGS, WAITS } from './findings.ts';
import { CAUTIONS, GUIDES, PANEL_NAMES } from './guides.ts';
import { MAILS } from './mails.ts';
import { MESSAGES } from './messages.ts';
import { PAGE, STATUS } from './page.ts';

export const SPANISH: Texts = {
  page: PAGE,
  status: STATUS,
  messages: MESSAGES,
  mails: MAILS,
  findings: FINDINGS,
  waits: WAITS,
  guides: GUIDES,
  cautions: CAUTIONS,
  panelNames: PANEL_NAMES,
};
