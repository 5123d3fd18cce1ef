import type { ReactElement } from 'react';
import { ROLES } from '../../../core/accounts/member.ts';
import type { MemberView, ShortList } from '../../responses.ts';
import { ask, useResource } from '../ask.ts';
import { InviteMember, ROLE_WORDS } from '../forms/invite-member.tsx';
import { SettingForm } from '../forms/setting-form.tsx';
import { Section } from '../parts/facts.tsx';
import { Choice, DialogForm, useCommand } from '../parts/forms.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Pill } from '../parts/pill.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { type DataColumn, Table } from '../parts/table.tsx';
import { useCan, useScope } from '../scope.ts';
import { loadSession } from '../session.ts';
import { TimeLabel } from '../times.tsx';

/** Lists the members of the account. An owner can invite people, change roles and remove members. */
export function Members(): ReactElement {
  const { account } = useScope();
  const mayChange = useCan('owner');
  const path = `/accounts/${encodeURIComponent(account.id)}`;
  const members = useResource<ShortList<MemberView>>(`${path}/members`);
  const columns: DataColumn<MemberView>[] = [
    [
      'Address',
      ({ mail, is_you }) => (
        <>
          {mail} {is_you ? <Pill tone="quiet">you</Pill> : null}
        </>
      ),
    ],
    ['Role', (of) => (mayChange ? <RoleChoice path={`${path}/members`} of={of} /> : of.role)],
    [
      'Member since',
      ({ joined_at: at }) => (at === null ? <Pill tone="wait">invited</Pill> : <TimeLabel at={at} />),
    ],
    ['Remove', (of) => (mayChange || of.is_you ? <Remove path={`${path}/members`} of={of} /> : null), true],
  ];
  return (
    <ViewPage of="members" acts={mayChange ? <InviteMember path={`${path}/members`} /> : null}>
      <Loaded of={members}>
        {({ data }) => (
          <Table
            caption={`Members of ${account.name}`}
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
      <Section title="Roles">
        <ul className="plain">
          {ROLES.toReversed().map((role) => (
            <li className="row-link" key={role}>
              <span className="row-main">{role}</span>
              <span className="muted">{ROLE_WORDS[role]}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Account">
        <SettingForm
          label="Name of the account"
          field="name"
          value={account.name}
          maxLength={80}
          mayChange={mayChange}
          save={async (name, expected) => {
            await ask(`PATCH ${path}`, { name, expected: { name: expected } });
            return 'Saved.';
          }}
        />
      </Section>
    </ViewPage>
  );
}

function RoleChoice({ path, of: { id, mail, role } }: { path: string; of: MemberView }): ReactElement {
  const [busy, run] = useCommand();
  return (
    <Choice
      aria-label={`Role of ${mail}`}
      value={role}
      options={ROLES.toReversed()}
      aria-disabled={busy || undefined}
      onText={(value) =>
        void run(async () => {
          await ask(`PATCH ${path}/${encodeURIComponent(id)}`, { role: value });
          return `${mail} is ${value} now.`;
        })
      }
    />
  );
}

function Remove({ path, of: { id, mail, is_you } }: { path: string; of: MemberView }): ReactElement {
  return (
    <DialogForm
      word={is_you ? 'Leave…' : 'Remove…'}
      opener={{ 'aria-label': is_you ? 'Leave…' : `Remove ${mail}…` }}
      title={is_you ? 'Leave the account?' : `Remove ${mail}?`}
      submit={is_you ? 'Leave' : 'Remove'}
      danger
      work={async () => {
        await ask(`DELETE ${path}/${encodeURIComponent(id)}`);
        if (is_you) await loadSession();
        return is_you ? 'You left the account.' : `Removed ${mail}.`;
      }}
    >
      <p>
        {is_you ? 'You lose access' : 'The person loses access'} within 5 seconds. API keys keep working, so
        revoke the ones that must not.
      </p>
    </DialogForm>
  );
}
