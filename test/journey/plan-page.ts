import { press } from './keyboard.ts';
import type { Person } from './person.ts';

/** Opens the plan page in live mode. */
export async function openLivePlan(person: Person): Promise<void> {
  await press(person.page, person.page.getByRole('link', { name: 'Live', exact: true }));
  await person.page.getByText('LIVE MODE', { exact: true }).waitFor();
  await person.open('Plan');
}

/** Saves a card on Stripe's page, and returns to the plan page. @param opener the button on the plan page. */
export async function addCard(person: Person, opener: string, card: string | RegExp): Promise<void> {
  await person.press(opener);
  await press(person.page, person.page.getByRole('button', { name: card }));
  await person.page.getByText('The card is saved.').waitFor();
}

/** Chooses a plan, and confirms the changes that the dialog lists. */
export async function choosePlan(person: Person, plan: string): Promise<void> {
  await person.press(`Choose ${plan}…`);
  await person.page.getByRole('dialog').getByText('It takes effect at once.').waitFor();
  await person.pressInDialog(`Choose ${plan}`);
}

/** Pays with a new card on Stripe's portal, after confirming the person's identity with a passkey. */
export async function payOpenInvoice(person: Person): Promise<void> {
  const { page } = person;
  await person.press('Invoices and cards');
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor();
  await person.pressInDialog('Use a passkey');
  await page.getByText('Open invoices: 1').waitFor();
  await press(page, page.getByRole('button', { name: 'Card that pays' }));
  await page.getByText('ending in 4242').waitFor();
  await person.press('Invoices and cards');
  await press(page, page.getByRole('button', { name: 'Pay', exact: true }));
  await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
}
