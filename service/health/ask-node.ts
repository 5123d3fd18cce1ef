import * as z from 'zod';

/** The state that a node reports (`readiness.ts`). A node of an older version reports fewer fields. */
const stateSchema = z.looseObject({
  ready: z.boolean(),
  draining: z.boolean(),
  database: z.string(),
  resolvers: z.string(),
  configuration_warnings: z.array(z.object({ setting: z.string(), cannot: z.string() })).optional(),
  settings: z.record(z.string(), z.string()).optional(),
  edge_engine: z
    .object({
      name: z.enum(['node', 'nginx']),
      version: z.string().nullable(),
      lacks: z.array(z.string()).readonly(),
    })
    .nullish(),
  replica: z
    .object({ hostnames: z.number(), unreadable: z.number(), bytes: z.number(), age_s: z.number() })
    .nullish(),
  edge_http_url: z.string().nullish(),
  problems: z.array(z.string()).optional(),
  processes: z
    .array(
      z.object({ name: z.string(), pid: z.number().nullable(), state: z.string(), restarts: z.number() }),
    )
    .optional(),
});
export type ReportedState = z.output<typeof stateSchema>;

const TIMEOUT_MS = 5000;

/**
 * Reads the state of the node at an admin address. Any program could listen at that address, so do not send a key to an address in the
 * response.
 * @returns null if no node responds.
 */
export async function askNode(adminUrl: string): Promise<ReportedState | null> {
  try {
    const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return stateSchema.safeParse(await answer.json()).data ?? null;
  } catch {
    return null; // The command reports that no node responds.
  }
}
