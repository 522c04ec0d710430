import { checkConfig, checkMachine, type Finding } from './doctor-checks';
import { callModels } from './doctor-models';
import { checkServer } from './doctor-server';

const SIGN = { ok: '✓', missing: '✗', note: '!' } as const;

export interface DoctorOptions {
  config?: string;
  json?: boolean;
  /** Call each configured model once. */
  models?: boolean;
}

/** `holdfast doctor`: 1 where something is missing without which agents cannot run here. */
export async function doctor({ config: path, json = false, models = false }: DoctorOptions): Promise<number> {
  const findings: Finding[] = [];
  const tell = (finding: Finding) => {
    findings.push(finding);
    if (!json) process.stdout.write(`${findingLine(finding)}\n`);
  };
  const { canServe } = await checkMachine(tell);
  const config = await checkConfig(tell, path);
  if (config !== undefined && models) await callModels(tell, config.models);
  if (config !== undefined) await checkServer(tell, config, canServe);
  const missing = findings.some(({ state }) => state === 'missing');
  if (json) process.stdout.write(`${JSON.stringify({ ok: !missing, findings }, null, 2)}\n`);
  else process.stdout.write(missing ? 'Something is missing: see the ✗ above.\n' : 'Nothing needed is missing.\n');
  return missing ? 1 : 0;
}

export function findingLine({ state, what, found, todo }: Finding): string {
  return `${SIGN[state]} ${what.padEnd(20)} ${found}${todo === undefined ? '' : ` → ${todo}`}`;
}
