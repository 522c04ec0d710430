import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileProblem } from '../../../runtime/files/file-problem';
import { readText } from '../../../runtime/files/read-text';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-files-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const read = (file: string) => readText(file, (problem, code) => Object.assign(new Error(problem), { code }));

describe('a file that a user has named', () => {
  it('is read without its byte order mark', async () => {
    writeFileSync(join(dir, 'marked.txt'), '\ufeffGrüße');
    expect(await read(join(dir, 'marked.txt'))).toBe('Grüße');
  });

  // An image would reach the model as a text of question marks, and a file of an old editor as YAML that is broken.
  it.each([
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
    ['a text in UTF-16', Buffer.from('\ufeffagents: a.ts', 'utf16le')],
    ['a text in Latin-1', Buffer.from('Grüße', 'latin1')],
  ])('is refused if it is %s', async (_, bytes) => {
    writeFileSync(join(dir, 'bytes'), bytes);
    await expect(read(join(dir, 'bytes'))).rejects.toThrow(/^It is not a text in UTF-8; save it as one$/);
  });

  it('is refused in plain words, whatever keeps it from being read', async () => {
    writeFileSync(join(dir, 'file'), '');
    mkdirSync(join(dir, 'folder'));
    symlinkSync('round', join(dir, 'round'));
    const said = async (...path: string[]) => read(join(dir, ...path)).catch((error: Error) => error.message);
    expect(await said('none')).toBe('There is no such file');
    expect(await said('nowhere', 'none')).toBe(`There is no folder ${join(dir, 'nowhere')}`);
    expect(await said('folder')).toBe('It is a folder; name a file');
    expect(await said('file', 'none')).toBe('Its path goes through a file as if that were a folder');
    expect(await said('round')).toBe('It is a link that leads back to itself');
    expect(await said('x'.repeat(300))).toBe('Its name is too long');
  });

  // A test of root can read every file.
  it.each(['EACCES', 'EPERM'])('may belong to another user (%s)', (code) => {
    expect(fileProblem({ code })).toMatch(/^It may not be read by the user of this process; change its permissions/);
    expect(fileProblem({ code }, 'written')).toMatch(/^It may not be written by the user/);
  });
});
