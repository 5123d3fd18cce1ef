import { lookup as getaddrinfo, Resolver } from 'node:dns/promises';

/**
 * Looks up A and AAAA at the system's name servers, without /etc/hosts and search domains. Does not use getaddrinfo, which runs on the four
 * threads that also do all file access. A few names with slow name servers would block all four.
 */
export async function dnsLookup(
  hostname: string,
  resolver = new Resolver({ timeout: 1_500, tries: 2 }),
): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (addresses.length === 0 && failed) throw failed.reason;
  return addresses;
}

/** Resolves a name as every program on the machine does, so that the names in a developer's /etc/hosts work. */
export async function hostsLookup(hostname: string): Promise<string[]> {
  const found = await getaddrinfo(hostname, { all: true });
  return found.map(({ address }) => address);
}
