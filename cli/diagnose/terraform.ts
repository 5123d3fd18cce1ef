import { recordData, type ShownChange } from './record-data.ts';

/**
 * Returns a Terraform resource for each record that must exist, and a comment for each that must be removed.
 * @param providerId the DNS provider of the zone. For null or an unknown provider, this function uses the resources of the Terraform provider
 * `hashicorp/dns`, which sends DNS UPDATE (RFC 2136).
 */
export function terraformOf(changes: readonly ShownChange[], providerId: string | null): string {
  const resourceOf = RESOURCES[providerId ?? ''] ?? updateResource;
  return changes
    .map((change) => {
      const { action, name, type, value, of } = change;
      const gone = action === 'remove' ? { type, value } : of;
      const lines = gone === null ? [] : [`# Remove the record ${name} ${gone.type} ${recordData(gone)}`];
      return [...lines, ...(action === 'remove' ? [] : [resourceOf(change)])].join('\n');
    })
    .join('\n\n');
}

type ResourceOf = (change: ShownChange) => string;

/** The functions that write resources for common DNS providers, by our id of the provider. */
const RESOURCES: Readonly<Record<string, ResourceOf>> = {
  cloudflare: (change) =>
    block('cloudflare_dns_record', change, {
      zone_id: 'var.zone_id',
      name: text(fullName(change)),
      type: text(change.type),
      ...(change.type === 'CAA' ? { data: caaData(change.value) } : { content: text(change.value) }),
      ttl: String(change.ttl),
      proxied: 'false',
    }),
  route53: (change) =>
    block('aws_route53_record', change, {
      zone_id: 'var.zone_id',
      name: text(fullName(change)),
      type: text(change.type),
      ttl: String(change.ttl),
      records: `[${text(change.value)}]`,
    }),
  'google-cloud-dns': (change) =>
    block('google_dns_record_set', change, {
      managed_zone: 'var.managed_zone',
      name: text(`${fullName(change)}.`),
      type: text(change.type),
      ttl: String(change.ttl),
      rrdatas: `[${text(recordData(change))}]`,
    }),
};

/** Returns a resource of the Terraform provider `hashicorp/dns`. That provider has no CAA resource, so a CAA record becomes a comment. */
function updateResource(change: ShownChange): string {
  const { type, zone, name, value, ttl } = change;
  const field = UPDATE_FIELDS[type];
  if (field === undefined) return `# Add the record ${name} ${ttl} ${type} ${recordData(change)}`;
  const [resource, argument] = field;
  return block(resource, change, {
    zone: text(`${zone}.`),
    ...(name === '@' ? {} : { name: text(name) }),
    [argument]: type === 'CNAME' ? text(`${value}.`) : `[${text(value)}]`,
    ttl: String(ttl),
  });
}

const UPDATE_FIELDS: Readonly<Record<string, readonly [resource: string, argument: string]>> = {
  A: ['dns_a_record_set', 'addresses'],
  AAAA: ['dns_aaaa_record_set', 'addresses'],
  CNAME: ['dns_cname_record', 'cname'],
  TXT: ['dns_txt_record_set', 'txt'],
};

/**
 * Formats a Terraform resource. `values` are expressions. In Terraform, one resource has all values of a name and type, so a comment tells
 * the user to keep the existing values.
 */
function block(
  resource: string,
  { name, zone, type, action }: ShownChange,
  values: Readonly<Record<string, string>>,
): string {
  const label = `${name === '@' ? zone : name}_${type}`.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const width = Math.max(...Object.keys(values).map((key) => key.length));
  const lines = Object.entries(values).map(([key, value]) => `  ${key.padEnd(width)} = ${value}`);
  const comment =
    action === 'add' ? ['# Keep the other values of this name and type, if there are any.'] : [];
  return [...comment, `resource "${resource}" "${label.replace(/^_/, '')}" {`, ...lines, '}'].join('\n');
}

function caaData(value: string): string {
  const [flags = '', tag = '', ...rest] = value.split(' ');
  const content = rest.join(' ').replace(/^"|"$/g, '');
  return `{ flags = ${text(flags)}, tag = ${text(tag)}, value = ${text(content)} }`;
}

function fullName({ name, zone }: ShownChange): string {
  return name === '@' ? zone : `${name}.${zone}`;
}

/** Formats a string so that Terraform interpolates nothing in it. */
function text(value: string): string {
  const escaped = value.replace(/[\\"]/g, '\\$&').replace(/([$%])\{/g, '$1$1{');
  return `"${escaped}"`;
}
