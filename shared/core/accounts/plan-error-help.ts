import type { CodeHelp } from '../code-help.ts';

const PLANS = '[Plans and limits](../plans-and-limits.md)';

/** The causes of the error codes that concern the plan and its payment, and how to fix them. */
export const PLAN_ERROR_HELP = {
  card_required: {
    causes: [
      {
        cause: 'The account is in its trial and has no card',
        tell: 'The request creates a live key or a live domain, and the dashboard asks for a card.',
        fix: 'Add a card in the dashboard. Until then, use a test key: everything but real DNS and certificates works.',
      },
    ],
    related: [PLANS, '[Test mode](../test-mode.md)'],
  },
  live_keys_need_plan: {
    causes: [
      {
        cause: 'The trial has ended without a plan',
        tell: 'The dashboard shows the plan Free.',
        fix: 'Choose a plan in the dashboard, or use a test key.',
      },
    ],
    related: [PLANS, '[Plan and billing](../dashboard.md#plan-and-billing)'],
  },
  card_declined: {
    causes: [
      {
        cause: 'The bank refused the check of the card',
        tell: 'You requested the first live key of the account, and the message quotes the bank.',
        fix: 'Use another card, or ask the bank to permit online payments.',
      },
    ],
    related: [PLANS],
  },
  account_suspended: {
    causes: [
      {
        cause: 'An invoice was not paid',
        tell: 'The dashboard shows the open invoice, and the owners received emails about it.',
        fix: 'Pay the invoice. The account resumes at once.',
      },
      {
        cause: 'The operator suspended the account',
        tell: 'No invoice is open.',
        fix: 'Contact the support of the service.',
      },
    ],
    related: ['[Trials and failed payments](../plans-and-limits.md#trials-and-failed-payments)'],
  },
  plan_required: {
    causes: [
      {
        cause: 'The plan has no white-label',
        tell: 'The request sets `whitelabel_host`.',
        fix: 'Choose a plan that includes it, by default Growth or above.',
      },
    ],
    related: [PLANS, '[White-label](../domains.md#white-label)'],
  },
  domain_limit_reached: {
    causes: [
      {
        cause: 'The plan is full',
        tell: '`status_detail.used` equals `status_detail.limit`.',
        fix: 'Choose one of the plans in `status_detail.plans`, or delete domains that are `expired`.',
      },
      {
        cause: 'The account has 1000 test domains',
        tell: 'The key starts with `sk_test_`, and `status_detail.plans` is empty.',
        fix: 'Delete test domains at the end of a test. `expired` ones count too.',
      },
      {
        cause: 'Test runs create live domains and leave them',
        tell: '`npx nameplate domains list --all` shows hostnames of tests.',
        fix: 'Delete them at the end of a test, or run tests [against the emulator](../ci.md).',
      },
    ],
    related: [PLANS],
  },
  billing_unavailable: {
    causes: [
      {
        cause: 'The payment provider does not respond',
        tell: 'Only requests that check a card fail, and the provider’s status page shows an incident.',
        fix: 'Try again after a minute. Domains are not affected.',
      },
    ],
    related: ['[Plan and billing](../dashboard.md#plan-and-billing)'],
  },
} as const satisfies Record<string, CodeHelp>;
