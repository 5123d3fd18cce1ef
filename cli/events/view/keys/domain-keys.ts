import type { DomainResource } from '../../../../shared/schema/domain.ts';
import { selectedDomain } from '../domain-list.ts';
import { domainPanel, filterPanel, type ViewState } from '../view-state.ts';
import {
  type Bindings,
  bind,
  COMMON_KEYS,
  type KeyStep,
  LEAVING_KEYS,
  movesOf,
  ONLY_EMULATOR,
  withEmulator,
} from './key-steps.ts';

function withDomain(build: (domain: DomainResource, state: ViewState) => readonly KeyStep[]) {
  return (state: ViewState): readonly KeyStep[] => {
    const domain = state.panel.open === 'domain' ? state.panel.domain : selectedDomain(state.domains);
    return domain === null ? [] : build(domain, state);
  };
}

function named({ id, hostname }: DomainResource) {
  return { id, hostname };
}

/** Keys that act on a domain, in the list and on its page. */
export const DOMAIN_KEYS: Bindings = [
  bind('d', 'diagnose: look up everything in the DNS, and show what to fix', { d: withDomain(diagnose) }),
  bind('v', 'check the DNS now', { v: withDomain((domain) => [{ do: 'verify', domain: named(domain) }]) }),
  bind('e', "show the domain's events", {
    e: withDomain(({ hostname }) => [
      { kind: 'screen_switched', to: 'events' },
      { kind: 'filter_changed', change: { text: `host:${hostname}` } },
      { kind: 'filter_used', text: `host:${hostname}` },
    ]),
  }),
  bind('c', 'copy a curl command that asks the API for the domain', {
    c: withDomain((domain) => [{ do: 'curl_domain', domain: named(domain) }]),
  }),
  bind('y', 'copy the id', { y: withDomain(({ id }) => [{ do: 'copy', texts: [id] }]) }),
  bind('o', "open the domain's connect page", {
    o: withDomain(({ id }) => [{ do: 'open', domainId: id }]),
  }),
  bind(
    't',
    'take the domain through a transition',
    { t: withDomain((domain, state) => withEmulator(state, { do: 'list_triggers', domain: named(domain) })) },
    ONLY_EMULATOR,
  ),
];

export const DOMAIN_LIST_KEYS: Bindings = [
  ...movesOf('first row; last loaded row'),
  bind('Enter', 'show the records, the status and the certificate', {
    'enter right': withDomain((domain) => [{ kind: 'opened', panel: domainPanel(domain) }]),
  }),
  bind('/', 'filter by the beginning of a hostname, and by status:active', {
    '/': ({ domains }) => [{ kind: 'opened', panel: filterPanel('domains', domains.filter) }],
  }),
  bind('Esc', 'clear the filter', {
    escape: ({ domains }) =>
      domains.filter === ''
        ? [{ kind: 'noticed', notice: null }]
        : [{ do: 'load_domains', filter: '', place: 'first' }],
  }),
  ...DOMAIN_KEYS,
  bind('Tab', 'go to the events', { tab: [{ kind: 'screen_switched', to: 'events' }] }),
  ...COMMON_KEYS,
  ...LEAVING_KEYS,
];

function diagnose(domain: DomainResource, { panel }: ViewState): readonly KeyStep[] {
  return [
    ...(panel.open === 'domain' ? [] : [{ kind: 'opened', panel: domainPanel(domain) } as const]),
    { kind: 'diagnosed', id: domain.id, diagnosis: { state: 'loading' } },
    { kind: 'jumped', to: 'first' },
    { do: 'diagnose', domain },
  ];
}
