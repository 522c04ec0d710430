/*
 * What the model reads from the tools of an agent with `files`, beside the files themselves.
 */

export function emptyFolder(): string {
  return '(empty folder)';
}

export function emptyFile(): string {
  return '(empty file)';
}

export function badPath(given: string): string {
  return `Expected \`path\` to be a string, got \`${given}\`.`;
}

export function badOffset(given: string): string {
  return (
    `Expected \`offset\` to be a whole number of bytes from 0, got \`${given}\`. Leave it out to read from the ` +
    'beginning, or use the number that the previous piece named.'
  );
}

export function pathWithZero(): string {
  return 'A path cannot contain a zero character.';
}

export function noRoot(): string {
  return 'The folder of this tool does not exist on the worker. Continue without it.';
}

export function noSuchPath(path: string): string {
  return `There is no \`${path}\`.`;
}

export function outsideRoot(path: string): string {
  return `\`${path}\` is outside the folder that you may read. Use paths relative to that folder.`;
}

export function tooManyLinks(path: string): string {
  return `\`${path}\` leads through too many links.`;
}

export function cannotOpen(path: string, code: string | undefined): string {
  return `\`${path}\` cannot be opened (${code ?? 'unknown reason'}).`;
}

export function neitherFileNorFolder(path: string): string {
  return `\`${path}\` is neither a file nor a folder.`;
}

export function changedMeanwhile(): string {
  return 'The file changed while it was opened. Try again.';
}

export function isFile(path: string): string {
  return `\`${path}\` is a file. Read it with read_file.`;
}

export function isFolder(path: string): string {
  return `\`${path}\` is a folder. List it with list_directory.`;
}

export function isBinary(path: string, bytes: number): string {
  return `\`${path}\` is a binary file of ${bytes} bytes.`;
}

export function imageTooLarge(path: string, bytes: number): string {
  return `\`${path}\` is an image of ${bytes} bytes, more than can be shown.`;
}

export function pastEnd(path: string, { bytes, offset }: { bytes: number; offset: number }): string {
  return `\`${path}\` has ${bytes} bytes: there is nothing from offset ${offset} on.`;
}

export function pieceOfFile({ from, to, bytes }: { from: number; to: number; bytes: number }): string {
  return `[cut: bytes ${from} to ${to} of ${bytes} are shown; continue with offset ${to}]`;
}

export function folderCut(shown: number, entries: number): string {
  return `[cut: the first ${shown} of ${entries} entries are shown]`;
}

/** @param name as it is shown */
export function notUtf8(name: string): string {
  return `${name} (its name is not UTF-8, it cannot be opened)`;
}

export function link(name: string): string {
  return `${name} (link)`;
}

export function sized(name: string, bytes: number): string {
  return `${name} (${bytes} bytes)`;
}
