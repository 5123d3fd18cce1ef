import type { ReactElement } from 'react';
import type { MemberRole, MemberView } from '../../responses.ts';
import { ask } from '../ask.ts';
import { DialogForm, type FormFields, TextField } from '../parts/forms.tsx';
import { useSession } from '../session.ts';

export const ROLE_WORDS: Record<MemberRole, string> = {
  owner: 'everything, with members and billing',
  developer: 'domains, events, keys and settings of all apps',
  viewer: 'reads everything, and changes nothing',
};

/**
 * A form that adds a person to the account. The person gets an invitation if the service sends mail.
 * @param path the path of the account's members.
 */
export function InviteMember({ path }: { path: string }): ReactElement {
  const mails = useSession().session?.sign_in.mails ?? true;

  async function invite({ mail, role }: FormFields): Promise<string> {
    const member = await ask<MemberView>(`POST ${path}`, { mail, role });
    return mails
      ? `Invited ${member.mail}.`
      : `Added ${member.mail}. This service sends no email, so tell them to sign in at ${location.origin}/dashboard.`;
  }

  return (
    <DialogForm
      word="Invite…"
      opener={{ className: 'btn lead' }}
      title="Invite a member"
      submit={mails ? 'Send invitation' : 'Add member'}
      work={invite}
    >
      <TextField label="Email address" name="mail" type="email" data-first="" required />
      <fieldset>
        <legend>Role</legend>
        {Object.entries(ROLE_WORDS).map(([each, words]) => (
          <label className="switch" key={each}>
            <input type="radio" name="role" value={each} defaultChecked={each === 'developer'} />
            <span>
              {each}: <span className="muted">{words}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </DialogForm>
  );
}
