import type { ServiceProvider, TemplateId } from './domain-connect.ts';
import type { RecordType } from './provider.ts';

/** A Domain Connect v2 template, with the protocol's field names. DNS providers take it from the public template repository. */
export interface Template {
  providerId: string;
  providerName: string;
  serviceId: TemplateId;
  serviceName: string;
  version: number;
  description: string;
  variableDescription: string;
  /** The domain with our public key. With this field, DNS providers accept only signed links. */
  syncPubKeyDomain: string;
  /** True if the template is only for names below a zone. */
  hostRequired: boolean;
  records: readonly TemplateRecord[];
}

export interface TemplateRecord {
  type: RecordType;
  host: string;
  pointsTo?: string;
  data?: string;
  ttl: number;
  /** Which existing TXT records of the same name the new record replaces. */
  txtConflictMatchingMode?: 'All';
  /** `OnApply`: the customer may later remove this record and keep the other records of the template. */
  essential?: 'OnApply';
}

export interface TemplateInput extends Pick<ServiceProvider, 'provider_id' | 'provider_name' | 'key_domain'> {
  edgeZone: string;
  edgeIpv4: readonly string[];
  edgeIpv6: readonly string[];
  /** The label `_service`, from `serviceNames()`. */
  txtLabel: string;
  /** The version of the templates, which increases with each change, such as a new address of the edge. */
  version: number;
}

/** The TTL of the records. It is short, so that DNS caches soon follow a customer who moves away. */
const TTL_S = 300;

/**
 * Returns one template per kind of hostname: a CNAME below a zone, or A, AAAA and TXT records at the apex. The only variables are the label
 * of the app's target and the value of the TXT record, because a forged link could set any variable.
 */
export function domainConnectTemplates(input: TemplateInput): Template[] {
  const { provider_id, provider_name, key_domain, edgeZone, edgeIpv4, edgeIpv6, txtLabel, version } = input;
  const common = {
    providerId: provider_id,
    providerName: provider_name,
    version,
    syncPubKeyDomain: key_domain,
  };
  const address = (type: 'A' | 'AAAA') => (pointsTo: string) => ({ type, host: '@', pointsTo, ttl: TTL_S });
  return [
    {
      ...common,
      serviceId: 'subdomain',
      serviceName: 'Custom domain',
      description: 'Points a subdomain to the service.',
      variableDescription: `%target%: the label below ${edgeZone} of the app that the subdomain belongs to`,
      hostRequired: true,
      records: [{ type: 'CNAME', host: '@', pointsTo: `%target%.${edgeZone}`, ttl: TTL_S }],
    },
    {
      ...common,
      serviceId: 'apex',
      serviceName: 'Custom domain',
      description: 'Points a domain to the service, with a TXT record that proves who added it.',
      variableDescription:
        '%proof%: a random value for this domain, which the service looks for in the TXT record',
      hostRequired: false,
      records: [
        ...edgeIpv4.map(address('A')),
        ...edgeIpv6.map(address('AAAA')),
        {
          type: 'TXT',
          host: txtLabel,
          data: '%proof%',
          ttl: TTL_S,
          txtConflictMatchingMode: 'All',
          essential: 'OnApply',
        },
      ],
    },
  ];
}
