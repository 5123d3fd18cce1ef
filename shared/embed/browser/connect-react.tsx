'use client';
import {
  createElement,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactElement,
  useEffect,
  useRef,
} from 'react';
import type { NameplateConnect as Component, ConnectErrorDetail, ConnectStatusDetail } from './connect.ts';
import './connect.ts';

/** The attributes of `<nameplate-connect>` in JSX. */
export interface NameplateConnectAttributes extends DetailedHTMLProps<HTMLAttributes<Component>, Component> {
  token?: string | undefined;
  'base-url'?: string | undefined;
  class?: string | undefined;
}

declare module 'react' {
  // biome-ignore lint/style/noNamespace: React declares its elements in this namespace.
  namespace JSX {
    interface IntrinsicElements {
      'nameplate-connect': NameplateConnectAttributes;
    }
  }
}

/** The module `nameplate/connect/react`. */
export interface NameplateConnectProps extends Omit<HTMLAttributes<HTMLElement>, 'onError' | 'className'> {
  /** The `token` in the response of POST /v1/domains/{id}/connect-tokens. */
  token: string;
  /** The `base_url` in the response of POST /v1/domains/{id}/connect-tokens. */
  baseUrl: string;
  className?: string | undefined;
  /** Returns a new token when the current one has expired. */
  getToken?: (() => string | Promise<string>) | undefined;
  /** Called for the first status that the component learns, and whenever the status changes. */
  onStatus?: ((detail: ConnectStatusDetail) => void) | undefined;
  /** Called once the domain is live. */
  onActive?: ((detail: ConnectStatusDetail) => void) | undefined;
  onTokenExpired?: (() => void) | undefined;
  onError?: ((detail: ConnectErrorDetail) => void) | undefined;
}

/** Renders `<nameplate-connect>`, with callbacks for its events. Works with React 18 and newer, and on a server. */
export function NameplateConnect(props: NameplateConnectProps): ReactElement {
  const { token, baseUrl, className, getToken, onStatus, onActive, onTokenExpired, onError, ...rest } = props;
  const element = useRef<Component>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
    if (element.current !== null) element.current.getToken = getToken ?? null;
  });
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const ended = new AbortController();
    const listen = (name: string, call: (event: CustomEvent) => void) =>
      current.addEventListener(`nameplate:${name}`, call as EventListener, { signal: ended.signal });
    listen('status', ({ detail }) => latest.current.onStatus?.(detail));
    listen('active', ({ detail }) => latest.current.onActive?.(detail));
    listen('token-expired', () => latest.current.onTokenExpired?.());
    listen('error', ({ detail }) => latest.current.onError?.(detail));
    return () => ended.abort();
  }, []);
  return createElement('nameplate-connect', {
    ...rest,
    ref: element,
    token,
    'base-url': baseUrl,
    class: className,
  });
}
