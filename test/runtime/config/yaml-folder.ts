import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HoldfastError } from '../../../agent/errors/error';
import { type Config, loadConfig } from '../../../runtime/config/config';

interface Variables {
  readonly [name: string]: string;
}

/** A folder for a `temporal.yaml`, empty before each test of the file. */
export class YamlFolder {
  dir = '';

  constructor() {
    beforeEach(() => {
      this.dir = mkdtempSync(join(tmpdir(), 'holdfast-config-'));
    });
    afterEach(() => rmSync(this.dir, { recursive: true }));
  }

  get file(): string {
    return join(this.dir, 'temporal.yaml');
  }

  load(source: string, env: Variables = {}): Promise<Config> {
    writeFileSync(this.file, source);
    return loadConfig({ cwd: this.dir, env: { ...env } });
  }

  /** `line:column problem` of a mistake in a file. No variable is quoted: it may be a secret. */
  async wrong(source: string, env: Variables = {}): Promise<string> {
    return this.load(source, env).then(
      () => 'nothing is wrong',
      ({ type, message, data }: HoldfastError<'InvalidConfig'>) => {
        const { line, column, problem } = data;
        expect({ type, message }).toEqual({
          type: 'InvalidConfig',
          message: `${this.file}:${line}:${column}: ${problem}`,
        });
        for (const value of Object.values(env)) expect(message).not.toContain(value);
        return `${line}:${column} ${problem}`;
      },
    );
  }
}

/** A section with one entry. */
export const entry = (section: string, name: string, settings: string) =>
  `${section}:\n  ${name}:\n${settings.replace(/^/gm, '    ')}\n`;

/** A model without a key. */
export const MODEL = 'models:\n  fast:\n    baseUrl: http://localhost:11434/v1\n    model: qwen\n';
