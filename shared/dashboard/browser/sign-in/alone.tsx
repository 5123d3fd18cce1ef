import type { ReactElement, ReactNode } from 'react';

/** A page without navigation: one card in the middle. */
export function Alone({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <main className="alone-page" id="main">
      <div className="card alone-card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
