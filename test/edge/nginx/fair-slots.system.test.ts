import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { LIMITS, SLOT_CASES, type SlotCase } from '../forwarding/origin-slot-cases.ts';
import { NGINX_PACKAGES } from './nginx-engine.ts';

const LUA_FOLDER = fileURLToPath(new URL('../../../service/edge/nginx/lua', import.meta.url));

describeUnlessMissing(
  whyMissing(NGINX_PACKAGES),
  'the connection limiter of an origin in nginx shares its slots fairly',
  () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'np-slots-'));
    let nginx: ChildProcess;
    let url: string;

    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}/`;
      const { file, modules } = await findNginx(NGINX_PACKAGES.programs[0]);
      const configuration = path.join(folder, 'nginx.conf');
      writeFileSync(configuration, configurationOf(folder, port, modules));
      nginx = spawn(file, ['-p', folder, '-c', configuration, '-e', 'stderr'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await once(nginx.stderr as NodeJS.ReadableStream, 'data');
    });

    afterAll(async () => {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(SLOT_CASES)('$title', async (each) => {
      const response = await fetch(url, { method: 'POST', body: linesOf(each) });
      const results = (await response.text()).split('\n').slice(0, -1);
      expect(results).toEqual(each.steps.map(([, result]) => result));
    });
  },
);

/** Returns the body of a test request: the limits on the first line, then one step on each line. */
function linesOf({ limits, steps }: SlotCase): string {
  const all = { ...LIMITS, ...limits };
  const numbers = [
    all.slotsMax,
    all.perNetworkMax,
    all.sharedFrom,
    all.queuedMax,
    all.queuedPerNetworkMax,
  ].join(' ');
  return [numbers, ...steps.map(([step]) => step), ''].join('\n');
}

/** Returns the configuration of an nginx that runs the steps in a request's body on a new limiter and responds with the results. */
function configurationOf(folder: string, port: number, modules: readonly string[]): string {
  return `
${modules.map((file) => `load_module ${file};`).join('\n')}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  lua_package_path '${LUA_FOLDER}/?.lua;;';
  server {
    listen 127.0.0.1:${port};
    location / { content_by_lua_block { ${RUN_STEPS} } }
  }
}
`;
}

const RUN_STEPS = `
  ngx.req.read_body()
  local lines = ngx.req.get_body_data():gmatch("[^\\n]+")
  local numbers = {}
  for number in lines():gmatch("%d+") do numbers[#numbers + 1] = tonumber(number) end
  local slots = require("nameplate.fair_slots").new({
    slots_max = numbers[1], per_party_max = numbers[2], shared_from = numbers[3],
    queued_max = numbers[4], queued_per_party_max = numbers[5],
  })
  local held, begun = {}, {}
  for line in lines do
    local network, request = line:match("^ask (%S+) (%S+)$")
    local leaving = line:match("^leave (%S+)$")
    if leaving then
      slots:leave(held[leaving])
      ngx.sleep(0.001)
      ngx.say(table.concat(begun, " "))
    else
      local slot = slots:ask(network)
      held[request] = slot
      ngx.say(not slot and "full" or slot.waits and "waits" or "now")
      if slot and slot.waits then
        ngx.thread.spawn(function()
          if slots:await(slot, 2) then begun[#begun + 1] = request end
        end)
      end
    end
  end
  ngx.exit(ngx.OK)
`;
