import { jsonOrNull } from '../../shared/core/text/json-or-null.ts';
import type { EdgeBackend } from '../edge/edge-backend.ts';
import { beatSchema, type EdgeBeats } from '../edge/health/edge-beats.ts';
import { subjectToken } from './connect-nats.ts';
import type { OpenedNats } from './open-nats.ts';

/**
 * Creates the path of beats through NATS: an edge publishes its own beat, and name servers subscribe to all beats. An edge also sends its beats
 * to the API nodes, for `service edges list`.
 */
export function createNatsBeats(nats: OpenedNats, backend: Pick<EdgeBackend, 'saveBeat'>): EdgeBeats {
  const subjectOf = (node: string) => `${nats.name}.edge.${node}`;
  const isConnected = () => nats.awayMs() === 0;
  return {
    async send(beat) {
      if (isConnected()) nats.connection().publish(subjectOf(subjectToken(beat.node)), JSON.stringify(beat));
      const saved = backend.saveBeat(beat);
      // The beat was published, so the API nodes may be away.
      if (isConnected()) saved.catch(() => undefined);
      else await saved;
    },
    listen(listener) {
      let end: (() => void) | null = () => undefined;
      nats.opened.then(
        ({ nc }) => {
          if (end === null) return;
          const heard = nc.subscribe(subjectOf('*'), {
            callback(error, message) {
              const read = beatSchema.safeParse(error === null ? jsonOrNull(message.string()) : null);
              // An edge may publish only to its own subject.
              if (!read.success || message.subject !== subjectOf(subjectToken(read.data.node))) return;
              const beat = read.data;
              listener([{ ...beat, heard_ms: 0, served_ms: beat.state === 'serving' ? 0 : null }]);
            },
          });
          end = () => heard.unsubscribe();
        },
        () => undefined,
      );
      return () => {
        end?.();
        end = null;
      };
    },
    isConnected,
  };
}
