import { X509Certificate } from 'node:crypto';
import {
  type AppValue,
  type EdgeKind,
  type EdgeValues,
  edgeKey,
  type HostCertificate,
  type HostValue,
  splitChain,
  splitKey,
} from '../../../shared/core/edge/edge-value.ts';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import { createEdgeReader } from '../../../shared/operations/edge/edge-reader.ts';
import type { ThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

export const [HOST, APEX, WWW] = ['careers.acme.com', 'acme.com', 'www.acme.com'];
export const NOW = Date.now();
export const [ONE, TWO] = ['app_1', 'app_2'] as AppId[] as [AppId, AppId];

/** An edge whose values a test sets. It counts the values that it looks up. */
export function edgeOfValues() {
  const values = new Map<string, object | 'unreadable'>();
  const clock = { at: NOW, now: () => clock.at };
  let lookups = 0;
  const find = <K extends EdgeKind>(kind: K, name: string) => {
    lookups += 1;
    return (values.get(edgeKey(kind, name)) ?? null) as EdgeValues[K] | 'unreadable' | null;
  };
  const reader = createEdgeReader(
    {
      find,
      certificateOf(hostname) {
        const found = find('host', hostname);
        return found === null || found === 'unreadable' ? found : found.certificate;
      },
      holds: () =>
        new Set([...values.keys()].map(splitKey).flatMap(([kind, name]) => (kind === 'hold' ? [name] : []))),
    },
    clock,
  );
  const set = (key: string, value: object | 'unreadable' | null) => {
    if (value === null) values.delete(key);
    else values.set(key, value);
  };
  return {
    ...reader,
    clock,
    set,
    lookups: () => lookups,
    setHost: (name: string, more: Partial<HostValue> | 'unreadable' | null = {}) =>
      set(edgeKey('host', name), more === null || more === 'unreadable' ? more : host(more)),
    setApp: (id: AppId, origin: string, more: Partial<AppValue> = {}) =>
      set(edgeKey('app', id), {
        origin,
        secret: `secret of ${id}`,
        previous: null,
        domain_origins: { before: true, changes_at: null, after: true },
        ...more,
      }),
    hold: (name: string, isHeld = true) => set(edgeKey('hold', name), isHeld ? {} : null),
    /** Stores a certificate of a CA with its issuers. @param names the names that it covers. */
    certify(
      ca: ThrowawayCa,
      hostname: string,
      names = [hostname],
      more: Partial<HostCertificate> = {},
    ): HostCertificate {
      const issued = ca.issue(names.map((name) => `DNS:${name}`).join());
      const { leaf, issuers, rest } = splitChain(`${issued.cert}${ca.certificate}`);
      set(edgeKey('chain', issuers), { chain: rest });
      const certificate: HostCertificate = {
        serial: new X509Certificate(leaf).serialNumber.toLowerCase(),
        names,
        not_after: NOW + 1_000,
        leaf,
        issuers,
        private_key: issued.key,
        ...more,
      };
      set(edgeKey('host', hostname), {
        ...(values.get(edgeKey('host', hostname)) as HostValue),
        certificate,
      });
      return certificate;
    },
  };
}

function host(more: Partial<HostValue> = {}): HostValue {
  return {
    domain_id: 'dom_1' as DomainId,
    app_id: ONE,
    mode: 'live',
    is_held: false,
    not_before: NOW,
    not_after: NOW + 10_000,
    origin: null,
    origin_headers: null,
    redirects_www: false,
    certificate: null,
    ...more,
  };
}
