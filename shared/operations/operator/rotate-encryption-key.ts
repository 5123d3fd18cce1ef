import type { AppId } from '../../core/ids.ts';
import { lockApp, updateApp } from '../../store/apps.ts';
import { answersNotSealedUnder, appsNotSealedUnder, resealAnswer } from '../../store/sealed.ts';
import { type Context, transact } from '../context.ts';
import { answerBinding } from '../effect.ts';
import { sealedFor } from '../signing-secrets.ts';
import { act } from './act.ts';

const BATCH = 100;

export interface Resealed {
  apps: number;
  answers: number;
}

/**
 * Seals every stored secret under the ring's current key, in batches, so that the older keys can be taken out of the ring. It can be
 * run again at any time, and goes on where it was stopped.
 */
export async function rotateEncryptionKey(
  context: Context,
  actor: string,
  current_key_id: string,
): Promise<Resealed> {
  const done = { apps: 0, answers: 0 };
  for (let ids = await appsNotSealedUnder(context.store, current_key_id, BATCH); ids.length > 0; ) {
    for (const id of ids) await resealApp(context, id);
    done.apps += ids.length;
    ids = await appsNotSealedUnder(context.store, current_key_id, BATCH);
  }
  done.answers = await resealAnswers(context, current_key_id);
  await act(
    context,
    { actor, action: 'encryption_key.rotate', subject: current_key_id, detail: { ...done } },
    async () => undefined,
  );
  return done;
}

async function resealApp(context: Context, id: AppId): Promise<void> {
  await transact(context, async (tx) => {
    const app = await lockApp(tx.store, id);
    const bound_to = sealedFor(id);
    const again = (sealed: string) => tx.secrets.seal(tx.secrets.open(sealed, bound_to), bound_to);
    await updateApp(tx.store, id, {
      signing_secret: again(app.signing_secret),
      previous_signing_secret:
        app.previous_signing_secret === null ? null : again(app.previous_signing_secret),
    });
  });
}

async function resealAnswers(context: Context, key_id: string): Promise<number> {
  let count = 0;
  for (;;) {
    const rows = await answersNotSealedUnder(context.store, key_id, BATCH);
    for (const row of rows) {
      const bound_to = answerBinding({ scope: row, key: row.key });
      const body = context.secrets.seal(context.secrets.open(row.body, bound_to), bound_to);
      await resealAnswer(context.store, row, body);
    }
    count += rows.length;
    if (rows.length < BATCH) return count;
  }
}
