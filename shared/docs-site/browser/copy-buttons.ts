/** Adds a button to each block of code that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    block.append(button);
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const code = block.querySelector('code');
  if (code === null) return;
  try {
    await navigator.clipboard.writeText((code.textContent ?? '').trimEnd());
    say(button, 'Copied');
  } catch {
    // The clipboard needs HTTPS or localhost. Selected code can be copied by hand.
    getSelection()?.selectAllChildren(code);
    say(button, 'Selected');
  }
}

const SAID_MS = 1500;

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  button.classList.add('done');
  setTimeout(() => {
    button.textContent = 'Copy';
    button.classList.remove('done');
  }, SAID_MS);
}
