import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks at whether a process of the group is left: the system does not tell. */
const LOOK = 20;

/**
 * Ends all processes of a group, with SIGTERM and then, `patience` milliseconds later, with SIGKILL. A server that is
 * started by `npx` or a shell is not the process that we started, and a server may leave programs behind that it
 * started itself.
 */
export async function endGroup(leader: number, patience: number): Promise<void> {
  if (!signal(leader, 'SIGTERM')) return;
  for (const until = performance.now() + patience; performance.now() < until; ) {
    await pause(LOOK);
    if (!signal(leader, 0)) return;
  }
  signal(leader, 'SIGKILL');
}

/** Whether the group had a process left to get it. */
function signal(leader: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, name);
  } catch {
    return false;
  }
}
