import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A record of what a function of a test's agent did: written by any worker, and read by the test. */
export interface ToolLine {
  event: 'start' | 'end' | 'aborted';
  run: string;
  /** Name of the tool, or `contextBuilder`, `outputBuilder`. */
  tool: string;
  toolUseId?: string;
  key?: string;
  pid: number;
  attempt: number;
}

/** Short lines, appended in one write each: those of several processes do not mix. */
export function writeLine(dir: string, line: ToolLine): void {
  appendFileSync(join(dir, 'tools.log'), `${JSON.stringify(line)}\n`);
}

export function readLines(dir: string): ToolLine[] {
  const path = join(dir, 'tools.log');
  if (!existsSync(path)) return [];
  // What follows the last end of a line is still being written.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ToolLine);
}

/** Work that waits in a run, or in one call of it (`<run>.<toolUseId>`), may end once this file exists. */
export function releaseFile(dir: string, what: string): string {
  return join(dir, `release.${what}`);
}
