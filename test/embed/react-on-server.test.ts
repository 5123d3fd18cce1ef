import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';

test('the React wrapper renders on a server, which has no DOM', async () => {
  // The module is typed for browsers, whose types the tests do not have.
  const module: string = '../../shared/embed/browser/connect-react.tsx';
  const { NameplateConnect } = await import(module);
  const shown = {
    token: 'ct_1',
    baseUrl: 'https://api.example.com',
    className: 'mine',
    onActive: () => undefined,
  };
  expect(renderToString(createElement(NameplateConnect, shown, 'Loading…'))).toBe(
    '<nameplate-connect token="ct_1" base-url="https://api.example.com" class="mine">Loading…</nameplate-connect>',
  );
});
