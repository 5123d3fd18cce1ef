import type { AppResource } from '../../schema/app.ts';
import { getApp } from '../../store/accounts/apps.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { presentApp } from './present-app.ts';

/** `docs/api.md#apps`: GET /v1/apps/current. */
export async function getCurrentApp(context: Context, caller: Caller): Promise<Answer<AppResource>> {
  return { status: 200, body: presentApp(context, await getApp(context.store, caller.app_id)) };
}
