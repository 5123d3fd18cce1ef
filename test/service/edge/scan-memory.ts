import { openSync, readFileSync, readSync } from 'node:fs';

/** Returns the names of the texts that the memory of a process contains. */
export function scanMemory(pid: number, texts: Record<string, Buffer>): string[] {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const found = new Set<string>();
  const overlap = Math.max(...Object.values(texts).map((text) => text.length));
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const end = Number.parseInt(to, 16);
    for (let at = Number.parseInt(from, 16); at < end; at += CHUNK_BYTES) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES + overlap, end - at));
      try {
        readSync(memory, chunk, 0, chunk.length, at);
      } catch {
        continue; // A guard page, or memory that was released meanwhile.
      }
      for (const [name, text] of Object.entries(texts)) if (chunk.includes(text)) found.add(name);
    }
  }
  return Object.keys(texts).filter((name) => found.has(name));
}

const CHUNK_BYTES = 4 * 1024 * 1024;
