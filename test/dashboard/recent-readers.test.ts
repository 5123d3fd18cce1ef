import { expect, test } from 'vitest';
import { createRecentReaders } from '../../shared/dashboard/recent-readers.ts';
import { removeMember } from '../../shared/operations/members/change-members.ts';
import { listMembers } from '../../shared/store/accounts/members.ts';
import { dashboardUnderTest } from './dashboard-under-test.ts';

async function readersUnderTest() {
  const dashboard = await dashboardUnderTest();
  const { account, app } = dashboard.account;
  const viewer = await dashboard.signedIn('viewer');
  const [token = null] = [...viewer.cookies.values()];
  const age = { ms: 0 };
  const readers = createRecentReaders(dashboard.context, { now: () => age.ms });
  return {
    viewer,
    age,
    readers,
    find: () => readers.find(token, app.id),
    list: () => viewer.send(`GET /apps/${app.id}/live/domains`),
    /** Removes the viewer as another node would: the node under test gets no notice. */
    async remove() {
      const [member] = await listMembers(dashboard.context.store, account.id);
      if (member === undefined) throw new Error('there is no member');
      await removeMember(dashboard.context, 'test', account.id, member.id);
    },
    [Symbol.asyncDispose]: () => dashboard[Symbol.asyncDispose](),
  };
}

test('a member who is removed on another node can read the dashboard for at most 2 s', async () => {
  await using under = await readersUnderTest();
  expect((await under.find())?.member).not.toBeNull();
  await under.remove();
  under.age.ms = 1_999;
  expect((await under.find())?.member).not.toBeNull();
  under.age.ms = 2_000;
  expect((await under.find())?.member).toBeNull();
});

test('a change of members on the same node takes effect immediately', async () => {
  await using under = await readersUnderTest();
  await under.find();
  await under.remove();
  under.readers.forget();
  expect((await under.find())?.member).toBeNull();
});

test("a check of a member's access that began before a change is not cached", async () => {
  await using under = await readersUnderTest();
  const reading = under.find();
  under.readers.forget();
  await reading;
  await under.remove();
  expect((await under.find())?.member).toBeNull();
});

test('a person who signs out on the same node is refused immediately', async () => {
  await using under = await readersUnderTest();
  expect((await under.list()).status).toBe(200);
  const [session] = [...under.viewer.cookies];
  expect((await under.viewer.send('DELETE /session')).status).toBe(204);
  if (session !== undefined) under.viewer.cookies.set(...session);
  expect((await under.list()).status).toBe(401);
});

test("a cached check of a member's access never permits a change", async () => {
  await using under = await readersUnderTest();
  expect((await under.list()).status).toBe(200);
  await under.remove();
  expect((await under.list()).status).toBe(200);
  const path = 'POST /apps/x/live/domains';
  expect((await under.viewer.send(path, { hostname: 'careers.acme.com' })).status).toBe(404);
});
