import path from 'node:path';
import * as z from 'zod';
import type { ListenAddress } from './setting-kinds.ts';

/** The settings of the edge's access log (`decisions/0060`). */
export interface AccessLogSettings {
  target: AccessLogTarget;
  /** The share of requests that are logged: greater than 0, at most 1. */
  sample: number;
  /** True if the lines contain the query string of the request. */
  query: boolean;
}

export type AccessLogTarget = { kind: 'file'; file: string } | ({ kind: 'syslog' } & ListenAddress);

const TARGET_FORM =
  'must be an absolute path, such as /var/log/nameplate/access.log, or a syslog server, such as syslog://127.0.0.1:514';

/** Matches a path that needs no quotes in nginx's configuration. */
const PLAIN_PATH = /^\/[\w./@+,:=-]+$/;

export const accessLogTarget = z.string().transform((text, issues): AccessLogTarget => {
  if (PLAIN_PATH.test(text) && path.normalize(text) === text && !text.endsWith('/')) {
    return { kind: 'file', file: text };
  }
  const server = /^syslog:\/\/(\[[0-9a-fA-F:]+\]|[\d.]+|[A-Za-z][A-Za-z0-9.-]*)(?::(\d{1,5}))?$/.exec(text);
  const port = Number(server?.[2] ?? 514);
  if (server?.[1] !== undefined && port >= 1 && port <= 65_535) {
    return { kind: 'syslog', host: server[1].replace(/^\[|\]$/g, ''), port };
  }
  issues.addIssue(TARGET_FORM);
  return z.NEVER;
});

const SAMPLE_FORM = 'must be a number over 0 and at most 1, such as 0.01 for one request in a hundred';

export const sampleShare = z
  .string()
  .regex(/^(?:0?\.\d{1,6}|[01](?:\.0{1,6})?)$/, SAMPLE_FORM)
  .transform(Number)
  .refine((share) => share > 0, SAMPLE_FORM);
