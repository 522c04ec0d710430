import { writeFile } from 'node:fs/promises';
import { give, warn } from '../../runtime/print';
import { withClient } from '../with-client';
import { chatLines } from './chat';
import { readExported } from './exported';
import { markdown } from './markdown';

export interface ExportOptions {
  config?: string;
  format?: 'jsonl' | 'md';
  full?: boolean;
  out?: string;
}

/** Milliseconds that a worker may take to answer: it may have to replay a long run first. */
const WORKER_TIMEOUT = 20_000;

/** `holdfast export`: writes the transcript of a run. */
export function exportRun(id: string, { config, format = 'jsonl', full = false, out }: ExportOptions): Promise<number> {
  return withClient(config, async (client) => {
    const exported = await readExported(client.temporal, id, { workerTimeout: WORKER_TIMEOUT, full });
    const text = format === 'md' ? markdown(exported) : chatLines(exported);
    if (out === undefined) give(text, format === 'md' ? 'text' : 'json');
    else {
      await writeFile(out, text);
      warn(`${Buffer.byteLength(text)} bytes in ${out}`);
    }
    return 0;
  });
}
