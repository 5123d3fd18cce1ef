import type { AccessLogSettings, AccessLogTarget } from '../../settings/access-log-settings.ts';
import { followRotation, type Rotation } from '../access-log/log-file.ts';
import { SYSLOG_TAG } from '../access-log/syslog-server.ts';

/** Returns the directive that logs the requests for which Lua made a line. Each worker writes its lines after at most a second. */
export function accessLogDirective(target: AccessLogTarget | null): string {
  if (target === null) return '';
  const condition = 'nameplate if=$nameplate_line';
  if (target.kind === 'file') return `access_log ${target.file} ${condition} buffer=64k flush=1s;`;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `access_log syslog:server=${host}:${target.port},tag=${SYSLOG_TAG} ${condition};`;
}

/**
 * Watches the file of the access log. The first call of `isMoved` returns true, because a running nginx may have opened the file before it
 * was moved.
 * @throws CommandError if the file cannot be written.
 */
export async function watchAccessLog(settings: AccessLogSettings | null): Promise<Rotation> {
  if (settings?.target.kind !== 'file') return { isMoved: async () => false };
  const rotation = await followRotation(settings.target.file);
  let isFirst = true;
  return {
    async isMoved() {
      const isMoved = await rotation.isMoved();
      const answer = isMoved || isFirst;
      isFirst = false;
      return answer;
    },
  };
}
