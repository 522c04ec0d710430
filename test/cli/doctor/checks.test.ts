import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig, type Finding } from '../../../cli/doctor/checks';

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
