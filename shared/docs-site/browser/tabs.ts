import { readChoice, storeChoice } from './theme.ts';

interface Tab {
  label: string;
  button: HTMLButtonElement;
  panel: HTMLElement;
}

/**
 * Turns each group of code blocks into tabs. If the reader chooses a language, all groups that have this language show it, also on other
 * pages.
 */
export function makeTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeGroup);
  const choose = (label: string) => {
    for (const tabs of groups) if (tabs.some((tab) => tab.label === label)) select(tabs, label);
  };
  for (const tabs of groups) {
    const [first] = tabs;
    if (first !== undefined) select(tabs, first.label);
    for (const { label, button } of tabs) {
      button.addEventListener('click', () => {
        // Groups above may change their height, so the page is scrolled to keep the clicked group in place.
        const before = button.getBoundingClientRect().top;
        choose(label);
        scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
        storeChoice('language', label);
      });
      button.addEventListener('keydown', (event) => moveFocus(tabs, button, event));
    }
  }
  const chosen = readChoice('language');
  if (chosen !== null) choose(chosen);
}

function makeGroup(group: HTMLElement, index: number): Tab[] {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = [...group.querySelectorAll<HTMLElement>('.tab-panel')].map((panel, place) => {
    const label = panel.querySelector('.tab-label')?.textContent ?? '';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.id = `tab-${index}-${place}`;
    button.setAttribute('role', 'tab');
    panel.id = `panel-${index}-${place}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    button.setAttribute('aria-controls', panel.id);
    list.append(button);
    return { label, button, panel };
  });
  group.querySelector('header')?.prepend(list);
  group.classList.add('ready');
  return tabs;
}

function select(tabs: readonly Tab[], label: string): void {
  for (const { label: each, button, panel } of tabs) {
    const isSelected = each === label;
    button.setAttribute('aria-selected', String(isSelected));
    button.tabIndex = isSelected ? 0 : -1;
    panel.hidden = !isSelected;
  }
}

function moveFocus(tabs: readonly Tab[], button: HTMLButtonElement, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const at = tabs.findIndex((tab) => tab.button === button);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next?.button.focus();
  next?.button.click();
  event.preventDefault();
}
