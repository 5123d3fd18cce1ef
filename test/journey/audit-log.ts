import { readFileSync } from 'node:fs';
import { press } from './keyboard.ts';
import type { Person } from './person.ts';

/** Returns the lines of the audit page as "who action detail", oldest first. Shortens ids to their type. */
export async function auditOnPage({ page }: Person): Promise<string[]> {
  const table = page.getByRole('table', { name: /^Actions in / });
  await table.waitFor();
  const rows = await table.locator('tbody tr').allInnerTexts();
  return rows
    .map((row) => {
      const [, ...cells] = row.split('\t').map((cell) => cell.trim());
      return cells
        .join(' ')
        .replace(/\b([a-z]{3})_[0-9a-z]{20,}/g, '$1')
        .trim();
    })
    .reverse();
}

export interface CsvLine {
  at: string;
  actor: string;
  action: string;
}

/** Downloads the audit log as CSV, and returns its lines, oldest first. */
export async function auditAsCsv({ page }: Person): Promise<CsvLine[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    press(page, page.getByRole('link', { name: 'CSV' })),
  ]);
  const [head, ...rows] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  if (head !== 'at,actor,action,detail,id') throw new Error(`the CSV begins with ${head}`);
  return rows
    .map((row) => {
      const [at = '', actor = '', action = ''] = row.split(',');
      return { at, actor, action };
    })
    .reverse();
}

/** The line of a resumed account. The same transaction writes the line of the payment, `PAID`. */
const RESUMED = 'billing account.update suspended: false';
const PAID = 'billing billing.payment_received';

/** Sorts lines of the same transaction. They have the same time, so the log may list them in either order. */
export function ordered(lines: readonly string[]): string[] {
  return lines.join('\n').replace(`${PAID}\n${RESUMED}`, `${RESUMED}\n${PAID}`).split('\n');
}

/** Returns the lines that the journey leaves in the audit log, oldest first. @param ada the owner. @param vera the viewer. */
export function auditOfJourney(ada: string, vera: string): string[] {
  return [
    `${ada} account.create name: Acme`,
    `${ada} billing.card`,
    'billing account.update card_on_file: true',
    `${ada} billing.choose_plan plan: growth`,
    'billing account.update plan: growth',
    `${ada} app.update app: app · mode: live · fields: ["origin_url"]`,
    `${ada} key.create app: app · mode: live · fields: ["name","mode"]`,
    `${ada} app.update app: app · mode: live · fields: ["webhook_url"]`,
    `${ada} member.sign_in`,
    `${ada} signing_secret.reveal app: app`,
    `${ada} webhook.test app: app`,
    `${ada} event.redeliver app: app · mode: live · id: evt`,
    `${ada} member.invite mail: ${vera} · role: viewer`,
    `${vera} member.join`,
    `${ada} member.passkey_add passkey: pky`,
    `${ada} member.sign_in`,
    `${ada} signing_secret.rotate app: app · mode: live`,
    `${ada} signing_secret.reveal app: app`,
    `${ada} webhook.test app: app`,
    `${ada} billing.card`,
    `${ada} billing.choose_plan plan: scale`,
    `${ada} billing.plan_refused plan: scale · code: card_declined`,
    'billing billing.payment_failed',
    'billing account.update suspended: true',
    `${ada} member.sign_in`,
    `${ada} billing.portal`,
    `${ada} billing.portal`,
    RESUMED,
    PAID,
    `${ada} app.update app: app · mode: live · fields: ["name"]`,
  ];
}
