import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { usageError } from '../runtime/cli-error.ts';
import type { Host } from './ask-host.ts';

/** Reads the address of a host: `[https://]<name or IP>[:port]`. @throws CliError `usage` */
export function readComparedHost(text: string, flag: string): Host {
  const url = URL.parse(text.includes('://') ? text : `https://${isIPv6(text) ? `[${text}]` : text}`);
  if (
    url === null ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.pathname !== '/' ||
    `${url.search}${url.hash}${url.username}` !== ''
  ) {
    throw usageError(
      `${flag} is not the address of a host.`,
      'Give a name or an IP address, such as 192.0.2.7, old.example.net:8443 or http://192.0.2.7.',
    );
  }
  const { protocol, hostname, port } = url;
  return {
    protocol,
    address: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
    verifies: true,
  };
}

/** Returns the edge, at the address that the domain's DNS record leads to. */
export async function edgeOf({ hostname, dns }: DomainResource): Promise<Host> {
  const name = dns.cname?.value ?? dns.apex?.a[0] ?? dns.apex?.aaaa[0];
  if (name === undefined) throw unknownHost('edge', hostname, '--edge');
  return { protocol: 'https:', address: await addressOf(name, '--edge'), port: 443, verifies: true };
}

/** Returns the host that the hostname leads to now. @throws CliError `usage` if that is the edge already. */
export async function oldHostOf(hostname: string, edge: Host): Promise<Host> {
  const address = await addressOf(hostname, '--old');
  if (address === edge.address) {
    throw usageError(`${hostname} leads to the edge already.`, 'Name the old host with --old.');
  }
  return { protocol: 'https:', address, port: 443, verifies: false };
}

async function addressOf(name: string, flag: '--old' | '--edge'): Promise<string> {
  if (isIP(name)) return name;
  try {
    return (await lookup(name)).address;
  } catch {
    throw unknownHost(flag === '--old' ? 'old host' : 'edge', name, flag);
  }
}

function unknownHost(what: string, name: string, flag: string) {
  return usageError(`The address of the ${what} is unknown: ${name} has none here.`, `Give it with ${flag}.`);
}
