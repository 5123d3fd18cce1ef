import type { LookupFailure, LookupType } from '../../core/dns/dns-survey.ts';
import type { Clock } from '../../ports/system.ts';
import type { DnsMessage, Question } from './dns-message.ts';
import type { DnsExchange, SocketAddress } from './dns-transport.ts';
import { isAskable } from './wire-name.ts';

/** A DNS server to which questions can be sent. */
export interface DnsEndpoint {
  /** The server's name in survey results: `1.1.1.1`, or `ns1.example.net (192.0.2.1)`. */
  label: string;
  address: SocketAddress;
}

/** A server's reply, or the reason why there is none. */
export interface Reply {
  server: string;
  name: string;
  type: LookupType;
  answer: DnsMessage | LookupFailure;
  response_ms: number;
}

/** Sends questions to servers. Sends the same question to a server only once and caches the reply, to limit the load of one survey. */
export interface DnsClient {
  ask(server: DnsEndpoint, name: string, type: LookupType, how: QuestionFlags): Promise<Reply>;
}

export type QuestionFlags = Pick<Question, 'recursion'> & Partial<Pick<Question, 'checkingDisabled'>>;

export interface DnsClientOptions {
  exchange: DnsExchange;
  /** Measures response times. */
  clock: Clock;
  questionsMax: number;
  /** When this signal aborts, all running questions end with `timeout`. */
  signal: AbortSignal;
}

/** Creates a client for one survey. Questions beyond `questionsMax` end with `timeout`. */
export function createDnsClient({ exchange, clock, questionsMax, signal }: DnsClientOptions): DnsClient {
  const asked = new Map<string, Promise<Reply>>();

  async function sendQuestion(server: DnsEndpoint, question: Question): Promise<Reply> {
    const { name, type } = question;
    const started = clock.now();
    const answer = await answerOf(server, question);
    return { server: server.label, name, type, answer, response_ms: clock.now() - started };
  }

  async function answerOf({ address }: DnsEndpoint, question: Question): Promise<DnsMessage | LookupFailure> {
    if (!isAskable(question.name)) return 'malformed';
    if (asked.size >= questionsMax) return 'timeout';
    const answer = await exchange(address, question, true, signal);
    // If the server does not support EDNS, repeat the question without it (RFC 6891 section 6.2.2).
    const knowsNoEdns = typeof answer === 'object' && answer.rcode === FORMERR && !answer.hasEdns;
    return knowsNoEdns ? exchange(address, question, false, signal) : answer;
  }

  return {
    ask(server, name, type, { recursion, checkingDisabled = false }) {
      const { ip, port } = server.address;
      const key = [ip, port, name, type, recursion, checkingDisabled].join(' ');
      const known = asked.get(key);
      if (known !== undefined) return known;
      const reply = sendQuestion(server, { name, type, recursion, checkingDisabled });
      asked.set(key, reply);
      return reply;
    },
  };
}

const FORMERR = 1;
