import type { AnchorHTMLAttributes, MouseEvent, ReactElement, ReactNode } from 'react';
import { go } from '../router.ts';

/** A link to another view of the dashboard. A plain click navigates without reloading the page. The browser handles other clicks. */
export function Link({
  href,
  onFollow,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'onClick'> & {
  href: string;
  /** Called after a plain click. */
  onFollow?: (() => void) | undefined;
}): ReactElement {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
    onFollow?.();
  };
  return <a href={href} onClick={follow} {...rest} />;
}

/** A link that opens another page in a new tab. If the address is neither HTTP nor a path, shows only the text. */
export function OutLink({ href, children }: { href: string; children: ReactNode }): ReactElement {
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
