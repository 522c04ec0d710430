import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig } from '../../../cli/doctor/checks';
import type { Finding } from '../../../cli/doctor/finding';

it('in a folder without temporal.yaml, the doctor names the command that writes a project', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
  const cwd = jest.spyOn(process, 'cwd').mockReturnValue(dir);
  const findings: Finding[] = [];
  try {
    await checkConfig((finding) => findings.push(finding), undefined);
  } finally {
    cwd.mockRestore();
    rmSync(dir, { recursive: true });
  }
  expect(findings[0]).toEqual({
    state: 'note',
    what: 'temporal.yaml',
    found: 'none here or above',
    todo: 'defaults are used; `holdfast init my-agent` writes a project with one',
  });
});

it('writes and reads an object of the storage', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
  const storageIn = async (settings: string) => {
    writeFileSync(join(dir, 'temporal.yaml'), `storage: ${settings}\n`);
    const findings: Finding[] = [];
    await checkConfig((finding) => findings.push(finding), join(dir, 'temporal.yaml'));
    return findings.find(({ what }) => what === 'storage');
  };
  try {
    expect(await storageIn('{folder: payloads}')).toMatchObject({
      state: 'ok',
      found: `${dir}/payloads, written and read`,
    });
    expect(await storageIn('{folder: temporal.yaml/payloads}')).toMatchObject({
      state: 'missing',
      found: expect.stringContaining('The storage of large payloads, the folder'),
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
});
