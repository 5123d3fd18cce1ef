import { isIP } from 'node:net';
import { isDefinite } from '../core/dns/dns-confirmation.ts';
import type { Lookup, LookupType } from '../core/dns/dns-survey.ts';
import { firstGood } from './first-good.ts';
import type { DnsClient, DnsEndpoint } from './wire/dns-client.ts';
import { readResolved } from './wire/reading.ts';

/** The default public resolvers. The first three confirm a record. The last one blocks no names and is used only to replace another. */
export const PUBLIC_RESOLVERS: readonly string[] = ['1.1.1.1', '8.8.8.8', '9.9.9.9', '94.140.14.140'];

/** The number of resolvers that must all confirm a record (`docs/api.md#states-and-transitions`). Others are replacements. */
export const CONFIRMING = 3;

/** Answers of several resolvers to the same question. */
export interface ResolverAnswers<Answer> {
  answers: readonly Answer[];
  /** Answers that were replaced by the answer of a spare resolver. */
  replaced: readonly Answer[];
}

/** The public resolvers. Query a specific resolver for its own answer, or any resolver for records on which all agree. */
export interface Resolvers {
  servers: readonly DnsEndpoint[];
  /** Resolvers that are queried only in place of another resolver. */
  spares: readonly DnsEndpoint[];
  ask(server: DnsEndpoint, name: string, type: LookupType, checkingDisabled?: boolean): Promise<Lookup>;
  /** Returns the first definite lookup. If no resolver gives a definite answer, the lookup has the outcome `unknown`. */
  askAny(name: string, type: LookupType): Promise<Lookup>;
  /** Queries a spare resolver in place of each resolver whose answer does not pass `isAnswer`, until all spares are used. */
  withSpares<Answer>(
    given: readonly Answer[],
    ask: (spare: DnsEndpoint) => Promise<Answer>,
    isAnswer: (answer: Answer) => boolean,
  ): Promise<ResolverAnswers<Answer>>;
}

export function createResolvers(
  client: DnsClient,
  servers: readonly DnsEndpoint[],
  spares: readonly DnsEndpoint[] = [],
): Resolvers {
  const ask: Resolvers['ask'] = async (server, name, type, checkingDisabled = false) =>
    readResolved(await client.ask(server, name, type, { recursion: true, checkingDisabled }));
  return {
    servers,
    spares,
    ask,
    async askAny(name, type) {
      const lookup = await firstGood(
        [...servers, ...spares],
        (server) => ask(server, name, type),
        isDefinite,
      );
      if (lookup === null) throw new RangeError('at least one resolver is required');
      return lookup;
    },
    async withSpares(given, askSpare, isAnswer) {
      const answers = [...given];
      const replaced: typeof answers = [];
      for (const spare of spares) {
        const place = answers.findIndex((answer) => !isAnswer(answer));
        if (place === -1) break;
        const answer = await askSpare(spare);
        if (isAnswer(answer)) replaced.push(...answers.splice(place, 1, answer));
      }
      return { answers, replaced };
    },
  };
}

/**
 * Parses the address of a resolver.
 * @param text an IP address, with a port if it is not 53: `1.1.1.1`, `[2001:db8::1]:5353`.
 * @throws RangeError for anything else.
 */
export function resolverServer(text: string): DnsEndpoint {
  const [, bracketed, inBrackets, plain, after] =
    /^(?:\[([^\]]+)\](?::(\d{1,5}))?|([\d.]+)(?::(\d{1,5}))?)$/.exec(text) ?? [];
  const ip = bracketed ?? plain ?? text;
  const port = Number(inBrackets ?? after ?? DNS_PORT);
  if (isIP(ip) === 0 || port < 1 || port > 65_535) throw new RangeError(`not a resolver: "${text}"`);
  return { label: text, address: { ip, port } };
}

export const DNS_PORT = 53;
