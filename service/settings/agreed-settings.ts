import type { ServiceConfig } from '../config.ts';

/** Settings that all of a deployment has the same, by name, as they would be written. */
export type AgreedSettings = Readonly<Record<string, string>>;

/** What a node tells of its settings, for an operator's shell to compare: none of it is a secret. */
export function agreedSettings({ settings, certificate_authorities, mail }: ServiceConfig): AgreedSettings {
  return {
    NAMEPLATE_BASE_URL: settings.base_url,
    NAMEPLATE_EDGE_ZONE: settings.edge_zone,
    NAMEPLATE_SANDBOX_ZONE: settings.sandbox_zone,
    NAMEPLATE_EDGE_IPV4: settings.edge_ipv4.join(','),
    NAMEPLATE_EDGE_IPV6: settings.edge_ipv6.join(','),
    NAMEPLATE_CAS: certificate_authorities.map(({ name }) => name).join(','),
    NAMEPLATE_MAIL_FROM: mail?.from ?? '',
  };
}

/** A setting of a shell that is another one at the node. */
export interface Difference {
  setting: string;
  here: string;
  there: string;
}

/** @param there a node of another version may tell of fewer. */
export function differencesOf(here: AgreedSettings, there: AgreedSettings): Difference[] {
  return Object.entries(here).flatMap(([setting, value]) => {
    const told = there[setting];
    return told === undefined || told === value ? [] : { setting, here: value, there: told };
  });
}
