import { readdirSync, readFileSync } from 'node:fs';

/** A process that runs on after the tests that started it. */
export interface LeftProcess {
  pid: number;
  command: string;
}

/** The processes with this variable in the environment that they were started with. Where there is no `/proc`: none. */
export function processesWith(name: string, value: string): LeftProcess[] {
  const found: LeftProcess[] = [];
  for (const entry of entriesOf('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = read(`/proc/${entry}/environ`).split('\0');
    if (!environment.includes(`${name}=${value}`)) continue;
    found.push({ pid, command: read(`/proc/${entry}/cmdline`).replaceAll('\0', ' ').trim() });
  }
  return found;
}

/** Ends them, and returns those that had not ended by themselves within `grace` milliseconds. */
export async function endProcessesWith(name: string, value: string, grace: number): Promise<LeftProcess[]> {
  const deadline = Date.now() + grace;
  let left = processesWith(name, value);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    left = processesWith(name, value);
  }
  return left.filter(({ pid }) => kill(pid));
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false; // it has ended in this moment
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended, or belongs to another user
  }
}
