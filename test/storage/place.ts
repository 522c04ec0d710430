import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Payload, PayloadCodec } from '@temporalio/common';

/** A folder for objects, which is removed when the file ends. */
export class Place {
  readonly dir = mkdtempSync(join(tmpdir(), 'holdfast-storage-'));

  constructor() {
    afterAll(() => rmSync(this.dir, { recursive: true, force: true }));
  }

  /** Contents of all objects. */
  objects(): Buffer[] {
    const files = readdirSync(this.dir, { recursive: true, withFileTypes: true });
    const objects = files.filter((file) => file.isFile() && /^[0-9a-f]{64}$/.test(file.name));
    return objects.map((file) => readFileSync(join(file.parentPath, file.name)));
  }

  /** Names of all files and folders in it. */
  names(): string[] {
    return readdirSync(this.dir, { recursive: true, withFileTypes: true }).map(({ name }) => name);
  }

  /** Removes the folders with this name. */
  remove(name: string): void {
    const all = readdirSync(this.dir, { recursive: true, withFileTypes: true });
    for (const { parentPath } of all.filter((one) => one.name === name)) {
      rmSync(join(parentPath, name), { recursive: true });
    }
  }
}

/** Text that no compression makes much smaller. */
export const noise = (bytes: number) =>
  randomBytes(Math.ceil((bytes * 3) / 4))
    .toString('base64')
    .slice(0, bytes);

const KEY = randomBytes(32);

/** AES-256-GCM over the JSON of the payload. */
export const encrypting: PayloadCodec = {
  encode: async (payloads) =>
    payloads.map(({ metadata, data }): Payload => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', KEY, iv);
      const texts = Object.entries(metadata ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64'),
      ]);
      const plain = JSON.stringify([Object.fromEntries(texts), Buffer.from(data ?? []).toString('base64')]);
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return {
        metadata: { encoding: Buffer.from('binary/encrypted') },
        data: Buffer.concat([iv, cipher.getAuthTag(), sealed]),
      };
    }),
  decode: async (payloads) =>
    payloads.map((payload): Payload => {
      if (Buffer.from(payload.metadata?.encoding ?? []).toString() !== 'binary/encrypted') return payload;
      const bytes = Buffer.from(payload.data ?? []);
      const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
      const [texts, data]: [Record<string, string>, string] = JSON.parse(plain);
      const metadata = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, 'base64')]);
      return { metadata: Object.fromEntries(metadata), data: Buffer.from(data, 'base64') };
    }),
};
