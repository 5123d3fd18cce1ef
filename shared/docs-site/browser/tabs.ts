import { readChoice, storeChoice } from './theme.ts';

/** Shows the language that the reader chose in all groups of code blocks that have it, also on other pages. */
export function followLanguage(): void {
  const radios = [...document.querySelectorAll<HTMLInputElement>('[aria-label="Language"] input')];
  const choose = (language: string | null) => {
    for (const radio of radios) if (radio.value === language) radio.checked = true;
  };
  for (const radio of radios) {
    const topOf = () => radio.closest('header')?.getBoundingClientRect().top ?? 0;
    radio.addEventListener('change', () => {
      // Groups above may change their height, so the page is scrolled to keep the clicked group in place.
      const before = topOf();
      choose(radio.value);
      scrollBy({ top: topOf() - before, behavior: 'instant' });
      storeChoice('language', radio.value);
    });
  }
  choose(readChoice('language'));
}
