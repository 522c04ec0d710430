import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderedStore, MAX_OBJECT } from './object-store';

/** Shows that the folder is the one that a worker has opened, and not the empty place where it is to be mounted. */
const MARK = 'holdfast-storage';

/** A folder that all workers and clients share. */
export class FolderStore implements FolderedStore {
  readonly where: string;

  /**
   * @param folder its absolute path
   * @param part the folder in it that has the objects
   */
  constructor(
    private readonly folder: string,
    private readonly part = '',
  ) {
    this.where = `the folder \`${folder}\``;
  }

  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, MARK), 'Payloads of Temporal workflows, by the SHA-256 of each.\n', {
      flag: 'a',
    });
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#find();
    const path = this.#path(key);
    const now = new Date();
    if (await utimes(path, now, now).then(() => true, isMissing)) return;
    await mkdir(join(path, '..'), { recursive: true });
    // A reader never sees half an object, and a process that dies leaves at most a file that no key names.
    const draft = `${path}.${randomUUID()}`;
    try {
      const file = await open(draft, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const path = this.#path(key);
    try {
      return (await stat(path)).size > MAX_OBJECT ? undefined : await readFile(path);
    } catch (error) {
      isMissing(error);
      await this.#find();
      return undefined;
    }
  }

  async list(folder: string): Promise<string[]> {
    await this.#find();
    return (await readdir(this.#path(folder)).catch(isMissing)) || [];
  }

  async remove(folder: string): Promise<void> {
    await this.#find();
    await rm(this.#path(folder), { recursive: true, force: true });
  }

  async #find(): Promise<void> {
    await access(join(this.folder, MARK)).catch((error: unknown) => {
      isMissing(error);
      throw new Error(`it has no file \`${MARK}\`: it was moved, or it is not mounted`);
    });
  }

  #path(key: string): string {
    return join(this.folder, this.part, key.slice(0, 2), key);
  }
}

/** @throws the error, unless it says that there is no such file */
function isMissing(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
  throw error;
}
