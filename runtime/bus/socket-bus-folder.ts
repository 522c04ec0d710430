import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TemporalConfig } from '../config/config';

/** Whose runs are streamed: ids are unique in a namespace. */
export type Namespace = Pick<TemporalConfig, 'address' | 'namespace'>;

/** One server under two names: `holdfast dev` says 127.0.0.1, a configuration without an address `localhost`. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(?=:)/;

/**
 * The folder where workers of a namespace have their sockets; `undefined` where the system has no users to keep apart, as
 * Windows. The path is short: a socket's may have no more than 103 characters.
 */
export function socketFolder({ address, namespace }: Namespace, tmp = tmpdir()): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const place = JSON.stringify([address.replace(LOOPBACK, 'localhost'), namespace]);
  return join(tmp, `holdfast-${uid}`, createHash('sha256').update(place).digest('hex').slice(0, 12));
}

/** Somebody else could read there what the models of this user say, or say something in their place. */
export class NotOurs extends Error {
  constructor(folder: string) {
    super(`\`${folder}\` has to be a folder that only this user can open. Remove it, or set another TMPDIR`);
  }
}

/**
 * Makes the folder where it is missing, for nobody but this user.
 * @throws NotOurs
 */
export async function makeFolder(folder: string): Promise<void> {
  for (const path of [dirname(folder), folder]) {
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    checkOurs(path);
  }
}

/**
 * Sockets in the folder; none where there is no folder, or it is not ours. At once, and not when the threads for files are
 * free: what is said before a reader is there is lost to it.
 */
export function socketsIn(folder: string): string[] {
  try {
    for (const path of [dirname(folder), folder]) checkOurs(path);
    const names = readdirSync(folder);
    return names.filter((name) => name.endsWith('.sock')).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Where a worker of this process listens. */
export function socketIn(folder: string, unique: string): string {
  return join(folder, `${process.pid}-${unique}.sock`);
}

/** Removes what workers left that were killed, of this namespace and of others, as of dev servers that are gone. */
export async function removeDead(folder: string): Promise<void> {
  const root = dirname(folder);
  for (const name of await readdir(root).catch(() => [])) {
    await Promise.all(socketsIn(join(root, name)).map(removeIfDead));
    await rmdir(join(root, name)).catch(() => undefined); // somebody listens there
  }
}

/** Removes a socket on which nobody listens any more. */
export async function removeIfDead(path: string): Promise<void> {
  // A process of this number may live in another container, where ours does not see it: so the socket is tried as well.
  // One that refuses may just be full: so the number counts as well.
  if (isAlive(Number(/(\d+)-[^/]*$/.exec(path)?.[1])) || !(await refuses(path))) return;
  await rm(path, { force: true }).catch(() => undefined);
}

/** Removes a socket, and the folder where it was the last. */
export async function removeSocket(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
  await rmdir(dirname(path)).catch(() => undefined);
}

function checkOurs(path: string): void {
  const found = lstatSync(path);
  const closed = (found.mode & 0o077) === 0;
  if (!found.isDirectory() || found.uid !== process.getuid?.() || !closed) throw new NotOurs(path);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function refuses(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      settle(false);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'ECONNREFUSED'));
  });
}
