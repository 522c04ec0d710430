import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TemporalConfig } from '../config/temporal';

/** Where the runs are: ids are unique in a namespace. */
export type Namespace = Pick<TemporalConfig, 'address' | 'namespace'>;

/** One server under two names: `holdfast dev` uses 127.0.0.1, a configuration without an address `localhost`. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(?=:)/;

/**
 * The folder in which workers of a namespace have their sockets; `undefined` on systems such as Windows, without users
 * to separate. The path is short: that of a socket may have no more than 103 characters.
 */
export function socketFolder({ address, namespace }: Namespace, tmp = tmpdir()): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const place = JSON.stringify([address.replace(LOOPBACK, 'localhost'), namespace]);
  return join(tmp, `holdfast-${uid}`, createHash('sha256').update(place).digest('hex').slice(0, 12));
}

/** Another user could read there what this user's models say, or forge it. */
export class NotOurs extends Error {
  constructor(folder: string) {
    super(`\`${folder}\` must be a folder that only this user can open. Remove it, or set another TMPDIR`);
  }
}

/**
 * Creates the folder if it is missing, accessible only to this user.
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
 * Sockets in the folder; none if there is no folder, or it is not ours. Synchronous, without waiting for a file thread:
 * a reader misses what is published before it connects.
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

/** The path of a socket for a worker of this process. */
export function socketIn(folder: string, unique: string): string {
  return join(folder, `${process.pid}-${unique}.sock`);
}

/** Removes the sockets of killed workers, in this namespace and in others, such as those of former dev servers. */
export async function removeDead(folder: string): Promise<void> {
  const root = dirname(folder);
  for (const name of await readdir(root).catch(() => [])) {
    await Promise.all(socketsIn(join(root, name)).map(removeIfDead));
    await rmdir(join(root, name)).catch(() => undefined); // another worker listens there
  }
}

/** Removes a socket that has no listener. */
export async function removeIfDead(path: string): Promise<void> {
  // A process with this id may be in another container, invisible from here: so the socket is tried as well.
  // A socket that refuses may just be full: so the process id counts as well.
  if (isAlive(Number(/(\d+)-[^/]*$/.exec(path)?.[1])) || !(await refuses(path))) return;
  await rm(path, { force: true }).catch(() => undefined);
}

/** Removes a socket, and its folder if it was the last one. */
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
