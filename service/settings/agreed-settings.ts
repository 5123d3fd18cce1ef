import type { ServiceConfig } from '../config.ts';

/** Settings that must be equal on all nodes of a deployment. The keys are the names of environment variables, and the values are texts. */
export type AgreedSettings = Readonly<Record<string, string>>;

/**
 * Returns the settings that a node reports, so that `service status` can compare them with the shell's settings. They contain no secrets.
 */
export function agreedSettings({
  settings,
  certificateAuthorities,
  mail,
  stripe,
  dns,
}: ServiceConfig): AgreedSettings {
  return {
    NAMEPLATE_BASE_URL: settings.baseUrl,
    NAMEPLATE_EDGE_ZONE: settings.edgeZone,
    NAMEPLATE_SANDBOX_ZONE: settings.sandboxZone,
    NAMEPLATE_EDGE_IPV4: settings.edgeIpv4.join(','),
    NAMEPLATE_EDGE_IPV6: settings.edgeIpv6.join(','),
    NAMEPLATE_CAS: certificateAuthorities.map(({ name }) => name).join(','),
    NAMEPLATE_MAIL_FROM: mail?.from ?? '',
    NAMEPLATE_BILLING: stripe === null ? 'none' : 'stripe',
    NAMEPLATE_DNS_SERVERS:
      dns?.servers.map(({ name, addresses }) => [name, ...addresses].join(' ')).join(',') ?? '',
  };
}

/** A setting whose value in a shell differs from the node's. */
export interface SettingDifference {
  setting: string;
  here: string;
  there: string;
}

/**
 * Returns the settings that differ.
 *
 * @param there the settings that the node reports. A node of another version may report fewer settings.
 */
export function differencesOf(here: AgreedSettings, there: AgreedSettings): SettingDifference[] {
  return Object.entries(here).flatMap(([setting, value]) => {
    const reported = there[setting];
    return reported === undefined || reported === value ? [] : { setting, here: value, there: reported };
  });
}
