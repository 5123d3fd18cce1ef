/** Marks the part of the page that the reader sees in the list of its headings. */
export function followOutline(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (links.length === 0) return;
  const mark = () => {
    const line = innerHeight * 0.25;
    const past = headings.findLastIndex(
      (heading) => (heading?.getBoundingClientRect().top ?? Infinity) < line,
    );
    links.forEach((link, index) => {
      if (index === past) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  let isWaiting = false;
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}
