import type { Person } from './person.ts';

/** Opens the plan page in live mode, by clicking. */
export async function openLivePlan(person: Person): Promise<void> {
  await person.page.getByRole('link', { name: 'Live', exact: true }).click();
  await person.page.getByText('LIVE MODE', { exact: true }).waitFor();
  await person.open('Plan');
}

/** Saves a card on Stripe's page, and returns to the plan page. @param opener the button on the plan page. */
export async function addCard(person: Person, opener: string, card: string | RegExp): Promise<void> {
  await person.button(opener).click();
  await person.page.getByRole('button', { name: card }).click();
  await person.page.getByText('The card is saved.').waitFor();
}

/** Chooses a plan, and confirms the changes that the dialog lists. */
export async function choosePlan(person: Person, plan: string): Promise<void> {
  await person.button(`Choose ${plan}…`).click();
  await person.page.getByRole('dialog').getByText('It takes effect at once.').waitFor();
  await person.inDialog(`Choose ${plan}`).click();
}

/** Pays with a new card on Stripe's portal, after confirming the person's identity with a passkey. */
export async function payOpenInvoice(person: Person): Promise<void> {
  const { page } = person;
  await person.button('Invoices and cards').click();
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor();
  await person.inDialog('Use a passkey').click();
  await page.getByText('Open invoices: 1').waitFor();
  await page.getByRole('button', { name: 'Card that pays' }).click();
  await page.getByText('ending in 4242').waitFor();
  await person.button('Invoices and cards').click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
}
