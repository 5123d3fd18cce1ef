import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import { subscribe } from '../../../shared/operations/connect/mail-subscriptions.ts';
import type { Mail, MailOutcome } from '../../../shared/ports/accounts.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { jobWorld } from '../../jobs/job-world.ts';

const LIMITS = { inFlightMax: 10, inFlightPerAccountMax: 2 };

/**
 * Creates a domain with a connect page, and a mail server whose responses the test chooses. The domain is live ten seconds after `goLive`.
 */
export async function pageWorld() {
  const world = await jobWorld();
  const mails: Mail[] = [];
  const mailServer: { answer: (mail: Mail) => MailOutcome } = { answer: () => 'sent' };
  world.context.mailer = {
    async send(mail) {
      const outcome = mailServer.answer(mail);
      if (outcome === 'sent') mails.push(mail);
      return outcome;
    },
  };
  const caller = await world.addApp('acme');
  const id = await world.addDomain(caller, 'careers.acme.com');
  const domain = await findDomainById(world.context.store, id);
  const connectToken = domain?.connect_token ?? '';
  const runner = createRunner(world.context, { handlers: COMMON_HANDLERS, limits: LIMITS, pollMs: 1000 });
  return {
    ...world,
    caller,
    id,
    mails,
    mail_server: mailServer,
    connect_token: connectToken,
    subscribe: (address: string) =>
      subscribe(world.context, { connect_token: connectToken, address, language: 'en' }),
    settle: () => runner.runDue(1000),
    nextDue: () => runner.nextDue(),
    async goLive() {
      for (let second = 0; second <= 10; second++) {
        world.clock.move(1000);
        await runner.runDue(1000);
      }
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
    },
  };
}

export type PageWorld = Awaited<ReturnType<typeof pageWorld>>;

/** Returns the token of the mail subscription, from a link in the mail. */
export function tokenOf(mail: Mail | undefined): string {
  return /\/connect\/mail\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}
