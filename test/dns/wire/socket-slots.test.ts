import { expect, test } from 'vitest';
import { SocketSlots } from '../../../shared/dns/wire/socket-slots.ts';

/** Requests a number of slots at once for one piece of work. */
function work(slots: SocketSlots, name: string, count: number, order: string[]): AbortController {
  const controller = new AbortController();
  for (let n = 0; n < count; n += 1) {
    void slots.acquire(controller.signal).then((taken) => order.push(taken ? name : `${name} gave up`));
  }
  return controller;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the work with the fewest open slots gets the next one, however many others wait', async () => {
  const slots = new SocketSlots(4);
  const order: string[] = [];
  const greedy = work(slots, 'greedy', 100, order);
  const modest = work(slots, 'modest', 2, order);
  const other = work(slots, 'other', 1, order);
  await turn();
  expect(order).toEqual(Array(4).fill('greedy'));
  for (let n = 0; n < 4; n += 1) slots.release(greedy.signal);
  await turn();
  expect(order.slice(4)).toEqual(['modest', 'other', 'greedy', 'greedy']);
  slots.release(modest.signal);
  slots.release(other.signal);
  await turn();
  expect(order.slice(8)).toEqual(['modest', 'greedy']);
});

test('work that has ended gives up its turn and frees its slots', async () => {
  const slots = new SocketSlots(1);
  const order: string[] = [];
  const first = work(slots, 'first', 1, order);
  const ended = work(slots, 'ended', 3, order);
  await turn();
  ended.abort();
  await turn();
  expect(order).toEqual(['first', ...Array(3).fill('ended gave up')]);
  slots.release(first.signal);
  work(slots, 'last', 1, order);
  await turn();
  expect(order.at(-1)).toBe('last');
  expect(await slots.acquire(ended.signal)).toBe(false);
});
