import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readInput } from '../../../cli/runs/input';

const read = (argument: string, stdin = '') => readInput(argument, 'support.triage', Readable.from([stdin]));

describe('the input of `holdfast run`', () => {
  it.each([
    ['{"mail": "hi"}', { mail: 'hi' }],
    ['[1, 2]', [1, 2]],
    ['42', 42],
    ['"quoted"', 'quoted'],
    ['null', null],
    ['Where is my order?', 'Where is my order?'],
    ['[urgent] call me', '[urgent] call me'],
    ['', ''],
  ])('reads %s as what it looks like', async (argument, value) => {
    expect(await read(argument)).toEqual(value);
  });

  it('refuses text that starts like JSON but is invalid', async () => {
    await expect(read('{"mail": hi}')).rejects.toMatchObject({
      type: 'InvalidInput',
      message: expect.stringContaining('it is not valid JSON'),
    });
  });

  it('reads a file and standard input, as JSON or as a text', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-input-'));
    writeFileSync(join(dir, 'mail.json'), '{"mail": "from a file"}\n');
    writeFileSync(join(dir, 'mail.txt'), 'Two\nlines\n');
    expect(await read(`@${join(dir, 'mail.json')}`)).toEqual({ mail: 'from a file' });
    expect(await read(`@${join(dir, 'mail.txt')}`)).toBe('Two\nlines');
    expect(await read('-', '{"mail": "piped"}')).toEqual({ mail: 'piped' });
    await expect(read(`@${join(dir, 'none')}`)).rejects.toThrow(/: .*none: There is no such file\.?$/);
    await expect(read(`@${dir}`)).rejects.toThrow(/: It is a folder; name a file\.?$/);
    await expect(read('@')).rejects.toThrow(/a file is missing after the @/);
    rmSync(dir, { recursive: true });
  });
});
