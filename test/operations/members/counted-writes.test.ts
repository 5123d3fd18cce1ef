import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../../shared/core/accounts/account.ts';
import type { Member, Role } from '../../../shared/core/accounts/member.ts';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import type { AccountId } from '../../../shared/core/ids.ts';
import { type Context, transact } from '../../../shared/operations/context.ts';
import { changeRole, inviteMember, removeMember } from '../../../shared/operations/members/change-members.ts';
import { createOwnApp, signUp } from '../../../shared/operations/members/own-accounts.ts';
import { startSession } from '../../../shared/operations/members/sign-in.ts';
import { findAccount } from '../../../shared/store/accounts/accounts.ts';
import { listAppsOfAccount } from '../../../shared/store/accounts/apps.ts';
import { insertMember, listMembers, listMemberships } from '../../../shared/store/accounts/members.ts';
import { deleteSession } from '../../../shared/store/accounts/sessions.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';
import { openMemory } from '../../store/open-sqlite.ts';
import type { OpenStore } from '../../store/open-store.ts';

const ADA = 'ada@example.com';
const AT_ONCE = 25;
const SEEDS = [1, 2, 3, 4, 5];
const ACCOUNTS_MAX = 10;

/** Changes that run at the same time, each in its own transaction. */
interface Race {
  changes: (() => Promise<unknown>)[];
  /** Checks what must be true after all changes, in whatever order they ran. */
  check(): Promise<void>;
}

/** A race for each limit that an operation enforces by counting rows before it writes. Each race begins close to the limit. */
const RACES: Readonly<Record<string, (world: JobWorld) => Promise<Race>>> = {
  async 'of 25 accounts that a person creates at once, only those within the limit exist'({ context }) {
    await signIn(context);
    return {
      changes: times(AT_ONCE, (n) => signUp(context, ADA, `Account ${n}`)),
      check: async () => expect(await listMemberships(context.store, ADA)).toHaveLength(ACCOUNTS_MAX),
    };
  },

  async 'signing out meanwhile lets no account past the limit'({ context }) {
    const ids = [await signIn(context), await signIn(context)];
    const signOuts = ids.map((id) => () => deleteSession(autocommit(context.store), ADA, id));
    return {
      changes: [...times(AT_ONCE, (n) => signUp(context, ADA, `Account ${n}`)), ...signOuts],
      async check() {
        expect((await listMemberships(context.store, ADA)).length).toBeLessThanOrEqual(ACCOUNTS_MAX);
      },
    };
  },

  async 'of 25 apps that are added to an account at once, only those within the limit exist'(world) {
    const { context } = world;
    const account = await addAccount(world);
    const room = 3;
    for (let n = 1; n < BUDGETS.apps.limit - room; n++) await createOwnApp(context, ADA, account, `${n}`);
    return {
      changes: times(AT_ONCE, (n) => createOwnApp(context, ADA, account, `More ${n}`)),
      async check() {
        const apps = await listAppsOfAccount(context.store, account.id);
        expect(apps).toHaveLength(BUDGETS.apps.limit);
      },
    };
  },

  async 'of 25 people who are invited at once, only those within the limit are members'(world) {
    const { context } = world;
    const { id } = await addAccount(world);
    for (let n = 2; n < BUDGETS.members.limit; n++) await addMember(context, id, `m${n}`, 'viewer', null);
    return {
      changes: times(AT_ONCE, (n) =>
        inviteMember(context, ADA, id, { mail: `i${n}@example.com`, role: 'viewer' }),
      ),
      check: async () => expect(await listMembers(context.store, id)).toHaveLength(BUDGETS.members.limit),
    };
  },

  async 'of four owners who leave or step down at once, one who has joined remains'(world) {
    const { context } = world;
    const { id } = await addAccount(world);
    const members: Member[] = [];
    for (let n = 0; n < 6; n++)
      members.push(await addMember(context, id, `o${n}`, 'owner', n < 4 ? context.clock.now() : null));
    const joined = members.filter(({ joined_at }) => joined_at !== null);
    return {
      changes: joined.map((each, n) =>
        n % 2 === 0
          ? () => removeMember(context, each.mail, id, each.id)
          : () => changeRole(context, each.mail, id, each.id, 'viewer'),
      ),
      async check() {
        const owners = (await listMembers(context.store, id)).filter(({ role }) => role === 'owner');
        expect(owners.filter(({ joined_at }) => joined_at !== null)).toHaveLength(1);
      },
    };
  },
};

const STORES: Readonly<Record<string, OpenStore>> = { SQLite: openMemory, Postgres: openDatabase };

for (const [database, open] of Object.entries(STORES)) {
  const describeStore =
    database === 'Postgres' ? describePostgres : (_: string, tests: () => void) => tests();
  describeStore(`no race exceeds a limit on ${database}`, () => {
    for (const [title, begin] of Object.entries(RACES)) {
      test(`${title}, on ${database}`, async () => {
        for (const seed of SEEDS) {
          await using opened = await open();
          const world = await jobWorld(undefined, opened.store);
          world.context.settings = { ...world.context.settings, signUp: 'open' };
          const { changes, check } = await begin(world);
          const whole = { minLength: changes.length };
          const [shuffled = []] = fc.sample(fc.shuffledSubarray(changes, whole), { numRuns: 1, seed });
          await Promise.allSettled(shuffled.map((change) => change()));
          await check();
        }
      });
    }
  });
}

test('an owner who was invited but never joined can be removed, even if no owner has joined yet', async () => {
  await using world = await jobWorld();
  const { context } = world;
  const { id } = await addAccount(world);
  const [first, second] = [
    await addMember(context, id, 'first', 'owner', null),
    await addMember(context, id, 'second', 'owner', null),
  ];
  await removeMember(context, 'operator', id, first.id);
  await expect(removeMember(context, 'operator', id, second.id)).rejects.toMatchObject({
    code: 'last_owner',
  });
});

function times(count: number, make: (n: number) => Promise<unknown>): (() => Promise<unknown>)[] {
  return Array.from({ length: count }, (_, n) => () => make(n));
}

async function signIn(context: Context): Promise<string> {
  const browser = { sessionToken: null, userAgent: 'test' };
  return (await transact(context, (tx) => startSession(tx, ADA, browser))).session.id;
}

/** Adds an account with one app and no members. */
async function addAccount({ context, addApp }: JobWorld): Promise<Account> {
  const account = await findAccount(context.store, (await addApp('acme')).account_id);
  if (account === null) throw new Error('there is no account');
  return account;
}

async function addMember(
  context: Context,
  accountId: AccountId,
  name: string,
  role: Role,
  joinedAt: number | null,
): Promise<Member> {
  const mail = `${name}@example.com`;
  const id = context.ids('mem');
  const member = { id, account_id: accountId, mail, role, created_at: 0, joined_at: joinedAt };
  await insertMember(autocommit(context.store), member);
  return member;
}
