import type { Bank, StripeAccount } from './stripe-account.ts';

export interface Page {
  status: number;
  /** The URL of a redirect; undefined for a page. */
  location?: string;
  html: string;
}

/** Cards that a customer can choose on the page, by Stripe's test number. */
const CARDS: Readonly<Record<string, { bank: Bank; label: string }>> = {
  '4242424242424242': { bank: 'pays', label: 'Card that pays' },
  '4000000000000341': { bank: 'declines', label: 'Card that is saved, and declined when it is charged' },
  '4000002500003155': { bank: 'wants_confirmation', label: 'Card that the bank wants to be confirmed' },
};

/**
 * Serves the two pages of Stripe that a customer uses: the page that saves a card, and the portal. Both have plain forms, which a test's
 * browser can fill in.
 */
export function stripePage(
  account: StripeAccount,
  { method, path, form }: { method: string; path: string; form: URLSearchParams },
): Page | null {
  const [, kind, , id = ''] = /^\/(c|p)\/(pay|session)\/(\w+)$/.exec(path) ?? [];
  const session = account.sessions.get(id);
  if (kind === undefined) return null;
  if (session === undefined) return { status: 404, html: 'There is no such session.' };
  const customer = String(session['customer']);
  if (method === 'GET')
    return { status: 200, html: kind === 'c' ? cardForm(id) : portalForms(account, customer) };
  if (form.get('action') === 'cancel') return sendTo(session['cancel_url']);
  const number = form.get('number');
  if (number !== null) {
    const { bank } = CARDS[number] ?? { bank: 'declines' as const };
    account.addCard(customer, bank, { last4: number.slice(-4) });
    session['status'] = 'complete';
    account.emit('checkout.session.completed', session);
  }
  if (form.get('action') === 'pay') account.payInvoices(customer);
  return sendTo(kind === 'c' ? session['success_url'] : session['return_url']);
}

function sendTo(url: unknown): Page {
  return { status: 303, location: String(url), html: '' };
}

function cardForm(id: string): string {
  return document(`Save a card (${id})`, `${cardChoice()}<p>${button('cancel', 'Back')}</p>`);
}

function portalForms(account: StripeAccount, customer: string): string {
  const open = [...account.invoices.values()].filter(
    (invoice) => invoice.customer === customer && invoice.status === 'open',
  ).length;
  return document('Billing portal', `<p>Open invoices: ${open}</p>${button('pay', 'Pay')}${cardChoice()}`);
}

function cardChoice(): string {
  const cards = Object.entries(CARDS).map(
    ([number, { label }]) =>
      `<form method="post"><button name="number" value="${number}">${label}</button></form>`,
  );
  return cards.join('');
}

function button(action: string, label: string): string {
  return `<form method="post"><button name="action" value="${action}">${label}</button></form>`;
}

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`;
}
