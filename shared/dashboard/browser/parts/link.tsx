import type { AnchorHTMLAttributes, MouseEvent, ReactElement } from 'react';
import { go } from '../router.ts';

/** A link within the page's own views. A plain click navigates without reloading the page; the browser handles any other click. */
export function Link({
  href,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }): ReactElement {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}

/** A link that opens another page in a new tab. */
export function OutLink({ href, children }: { href: string; children: ReactElement | string }): ReactElement {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
