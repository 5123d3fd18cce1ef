import * as z from 'zod';

/** What a node says of itself (`readiness.ts`); one of an older version says less. */
const stateSchema = z.looseObject({
  ready: z.boolean(),
  draining: z.boolean(),
  database: z.string(),
  resolvers: z.string(),
  shortfalls: z.array(z.object({ setting: z.string(), cannot: z.string() })).optional(),
  settings: z.record(z.string(), z.string()).optional(),
  edge_http_url: z.string().nullish(),
  processes: z
    .array(
      z.object({ name: z.string(), pid: z.number().nullable(), state: z.string(), restarts: z.number() }),
    )
    .optional(),
});
export type ToldState = z.output<typeof stateSchema>;

const TIMEOUT_MS = 5000;

/** Asks whoever listens at a node's admin address: its words are not to be trusted with a key. @returns null where no node answers. */
export async function askNode(admin_url: string): Promise<ToldState | null> {
  try {
    const answer = await fetch(`${admin_url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return stateSchema.safeParse(await answer.json()).data ?? null;
  } catch {
    return null; // That none runs, or that something else does, is what the command says then.
  }
}
