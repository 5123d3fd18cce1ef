import { expect, test } from 'vitest';
import { readDomainFilter } from '../../../../cli/events/view/domain-list.ts';
import type { ViewAction } from '../../../../cli/events/view/view-state.ts';
import type { DomainResource } from '../../../../shared/schema/domain.ts';
import { eventAt } from '../event-list.ts';
import { answer, type View, viewOf } from '../view.tsx';

function domainAt(n: number, fields: Partial<DomainResource> = {}): DomainResource {
  return {
    id: `dom_${n}`,
    hostname: `host-${n}.acme.com`,
    mode: 'test',
    status: 'active',
    status_reason: null,
    status_detail: null,
    is_apex: false,
    dns: { cname: { name: `host-${n}`, value: 'target.edge.test' }, apex: null },
    origin: null,
    apex_redirect: 'none',
    connect_url: 'https://connect.example.com/abc',
    certificate: null,
    metadata: null,
    origin_headers: null,
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:00:00.000Z',
    last_checked_at: null,
    next_check_at: null,
    ready_to_switch: false,
    ...fields,
  } as DomainResource;
}

/** Returns domains with the numbers from `from` down to `to`, newest first, as the API lists them. */
function domains(from: number, to: number): DomainResource[] {
  return Array.from({ length: from - to + 1 }, (_, n) => domainAt(from - n));
}

function loaded(
  data: DomainResource[],
  more: Partial<ViewAction & { kind: 'domains_loaded' }> = {},
): ViewAction {
  return { kind: 'domains_loaded', filter: '', page: { data, next_cursor: null }, place: 'first', ...more };
}

function screenOf(data: DomainResource[]): View {
  return viewOf([eventAt(0)])
    .press('tab')
    .do(loaded(data));
}

test('in the event view, Tab shows the domains and loads them once, and a second Tab shows the events again', async () => {
  const view = viewOf([eventAt(0)]).press('tab');
  expect(view.deeds).toEqual([{ do: 'load_domains', filter: '', place: 'first' }]);
  expect((await view.screen()).join('\n')).toContain('Loading the domains');
  view.do(loaded(domains(2, 1)));
  expect((await view.screen()).slice(0, 4)).toEqual([
    ' • nameplate •   Events  Domains  test · 127.0.0.1:4400   ● connected · 0 s ago',
    '╭ 2 domains ──────────────────────────────────────────────────────────── row 1 ╮',
    '│  HOST                    STATUS                REASON                        │',
    '│▌ host-2.acme.com         ✓ Active                                            │',
  ]);
  expect((await view.press('tab').screen())[2]).toContain('DELIVERY');
  expect(view.press('tab').deeds).toHaveLength(1);
});

test('a reload of the domain list shows new domains and statuses, drops deleted domains, and keeps the selection', async () => {
  const view = screenOf(domains(3, 1)).press('j');
  view.do(loaded([domainAt(4), domainAt(2, { status: 'dns_broken' }), domainAt(1)]));
  expect((await view.screen()).slice(3, 6)).toEqual([
    '│┆ host-4.acme.com         ✓ Active                                            │',
    '│▌ host-2.acme.com         ✗ DNS broken                                        │',
    '│┆ host-1.acme.com         ✓ Active                                            │',
  ]);
});

test('the domain list loads the next page near the end, and a reload keeps the later pages', () => {
  const page = { data: domains(60, 31), next_cursor: 'c1' };
  const view = viewOf([]).press('tab').do(loaded([], { page }));
  expect(view.press('j').deeds).toHaveLength(1);
  expect(view.press('pagedown').deeds.at(-1)).toEqual({ do: 'load_domains', filter: '', place: 'next' });
  view.do(loaded([], { page: { data: domains(30, 1), next_cursor: null }, place: 'next' }));
  view.do(loaded([], { page: { data: domains(61, 31), next_cursor: 'c1' } }));
  expect(view.state.domains.domains.map(({ id }) => id)).toEqual(domains(61, 1).map(({ id }) => id));
  expect(view.state.domains.nextCursor).toBeNull();
});

test('the domain list ignores a page that arrives for an earlier filter', async () => {
  const view = screenOf(domains(3, 1)).press('/', 'host-2', 'enter');
  expect(view.deeds.at(-1)).toEqual({ do: 'load_domains', filter: 'host-2', place: 'first' });
  view.do({ kind: 'domains_loading', filter: 'host-2' }, loaded(domains(3, 1)));
  expect(view.state.domains.domains).toEqual([]);
  view.do(loaded(domains(2, 2), { filter: 'host-2' }));
  expect((await view.screen())[1]).toContain('1 domain   /host-2');
  expect(view.press('escape').deeds.at(-1)).toEqual({ do: 'load_domains', filter: '', place: 'first' });
});

test.each([
  ['', {}],
  ['careers.acme', { hostname: 'careers.acme' }],
  ['status:active', { status: 'active' }],
  ['status:held shop', { status: 'held', hostname: 'shop' }],
  ['status:', {}],
])('the filter "%s" of the domain list requests %j from the API', (text, query) => {
  expect(readDomainFilter(text)).toEqual({ ok: true, query });
});

test.each(['two words', 'a*b', 'status:happy'])('the domain list refuses the filter "%s"', (text) => {
  expect(readDomainFilter(text)).toEqual({ ok: false, problem: expect.any(String) });
});

test('in the domain list, Enter shows the records, and d the diagnosis', async () => {
  const view = screenOf(domains(2, 1)).press('enter');
  expect((await view.screen()).join('\n')).toMatch(/CNAME +host-2 +target\.edge\.test/);
  view.press('d');
  expect(view.deeds.at(-1)).toEqual({ do: 'diagnose', domain: domainAt(2) });
  expect((await view.press('G').screen()).join('\n')).toContain('Looking up the DNS');
  view.do({ kind: 'diagnosed', id: 'dom_2', diagnosis: { state: 'failed', problem: 'It took too long.' } });
  expect((await view.screen()).join('\n')).toContain('It took too long.');
});

test('an open page of the domain list shows the new status of its domain', async () => {
  const view = screenOf(domains(2, 1)).press('enter');
  view.do({ kind: 'domain_changed', domain: domainAt(2, { status: 'cert_failed' }) });
  expect((await view.screen()).join('\n')).toMatch(/status +✗ cert_failed/);
});

test('in the domain list, keys check, trigger, open and copy the selected domain, and show its events', async () => {
  const view = screenOf(domains(2, 1))
    .do({ kind: 'set', fields: { hasEmulator: true } })
    .press('v', 't', 'o', 'y', 'c');
  const domain = { id: 'dom_2', hostname: 'host-2.acme.com' };
  expect(view.deeds.slice(1)).toEqual([
    { do: 'verify', domain },
    { do: 'list_triggers', domain },
    { do: 'open', domainId: 'dom_2' },
    { do: 'copy', texts: ['dom_2'] },
    { do: 'curl_domain', domain },
  ]);
  view.do(answer([eventAt(1, { hostname: 'host-2.acme.com' })])).press('e');
  expect((await view.screen())[1]).toContain('1 of 2 loaded events   /host:host-2.acme.com');
});

test('text from the network cannot control the terminal of the domain list', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202e\u009b31m\u0001red x\u0002\r\n\u0000x';
  const hostile = domainAt(1, {
    hostname: evil,
    status: evil as 'active',
    status_reason: evil as DomainResource['status_reason'],
    status_detail: { expected: evil, found: evil, hint: evil },
    dns: { cname: { name: evil, value: evil }, apex: null } as DomainResource['dns'],
    origin: evil,
    connect_url: evil,
    metadata: { [evil]: evil },
  });
  const view = screenOf([hostile]);
  for (const screen of [
    await view.screen(),
    await view.press('enter').screen(),
    await view.press('G').screen(),
  ]) {
    expect(screen.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});
