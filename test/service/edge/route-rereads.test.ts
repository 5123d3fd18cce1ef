import { describe, expect, it } from 'vitest';
import { RouteRereads, type RouteScope } from '../../../service/edge/route-rereads.ts';

const [BIG, SMALL] = ['app_big', 'app_small'] as RouteScope[] as [RouteScope, RouteScope];
const HOSTS = ['a', 'b', 'c', 'd', 'e'];

/**
 * Reads one page, which contains one hostname. @returns a summary of the page, which ends with "whole" once all pages of the scope have
 * been read.
 */
function step(rereads: RouteRereads, hosts = HOSTS): string {
  const page = rereads.next();
  if (page === null) return 'nothing';
  const last = hosts.find((host) => host > page.after) ?? null;
  const isWhole = rereads.pass(page.scope, last);
  return `${page.scope} ${last ?? 'end'}${isWhole ? ' whole' : ''}`;
}

const steps = (rereads: RouteRereads, count: number) => Array.from({ length: count }, () => step(rereads));

describe('an edge reads the routes of changed apps again', () => {
  it('the pages of an app are read one after the other, up to the last page', () => {
    const rereads = new RouteRereads();
    expect(step(rereads)).toBe('nothing');
    rereads.add(BIG);
    expect(steps(rereads, 7)).toEqual([
      ...HOSTS.map((host) => `app_big ${host}`),
      'app_big end whole',
      'nothing',
    ]);
  });

  it('the reads alternate between apps, so that a large app does not delay a small one', () => {
    const rereads = new RouteRereads();
    rereads.add(BIG);
    step(rereads);
    rereads.add(SMALL);
    expect(steps(rereads, 4)).toEqual(['app_big b', 'app_small a', 'app_big c', 'app_small b']);
  });

  it('if an app changes during its read, the read continues to the end and then repeats the pages before the change', () => {
    const rereads = new RouteRereads();
    rereads.add(BIG);
    expect(steps(rereads, 2)).toEqual(['app_big a', 'app_big b']);
    rereads.add(BIG);
    expect(steps(rereads, 7)).toEqual([
      'app_big c',
      'app_big d',
      'app_big e',
      'app_big end',
      'app_big a',
      'app_big b whole',
      'nothing',
    ]);
  });

  it('every page is read even if the app changes after each page', () => {
    const rereads = new RouteRereads();
    rereads.add(BIG);
    const read = new Set<string>();
    for (let n = 0; n < 12; n++) {
      read.add(step(rereads));
      rereads.add(BIG);
    }
    expect([...read].sort()).toEqual([...HOSTS.map((host) => `app_big ${host}`), 'app_big end']);
  });

  it('if an app changes just after its last page was read, all its pages are read again', () => {
    const rereads = new RouteRereads();
    rereads.add(BIG);
    steps(rereads, 2);
    rereads.add(BIG);
    steps(rereads, 4);
    rereads.add(BIG);
    expect(steps(rereads, 7)).toEqual([
      ...HOSTS.map((host) => `app_big ${host}`),
      'app_big end whole',
      'nothing',
    ]);
  });
});
