import type { PageAddition } from '../../shared/dashboard/dashboard-call.ts';
import { LAB_STYLE } from './lab-style.ts';

/** The dashboard's page with the lab. */
export const LAB_PAGE: PageAddition = { scriptFile: 'lab.browser.js', style: LAB_STYLE };
