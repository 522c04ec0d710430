import { give, say } from '../../runtime/print';
import { withPrintedCommands } from '../terminal/printed-command';
import type { Capability } from './capabilities';
import { checkConfig, checkMachine } from './checks';
import type { Finding } from './finding';
import { callModels } from './models';
import { checkServer } from './server';

const SIGN = { ok: '✓', missing: '✗', note: '!' } as const;

export interface DoctorOptions {
  config?: string;
  json?: boolean;
  /** Find out what each configured model can do, by a few calls. */
  models?: boolean;
}

/** `holdfast doctor`: exit code 1 if something is missing that agents need to run here. */
export async function doctor({ config: path, json = false, models = false }: DoctorOptions): Promise<number> {
  const findings: Finding[] = [];
  const tell = (finding: Finding) => {
    findings.push(finding);
    if (!json) say(findingLine(finding), ...(finding.capabilities ?? []).map(capabilityLine));
  };
  const { canServe } = await checkMachine(tell);
  const { config, agents } = await checkConfig(tell, path);
  if (config !== undefined && models) await callModels(tell, config.models);
  if (config !== undefined) await checkServer(tell, config, { canServe, agents });
  const missing = findings.some(({ state }) => state === 'missing');
  if (json) give(`${JSON.stringify({ ok: !missing, findings }, null, 2)}\n`, 'json');
  else say(missing ? 'Something is missing: see the ✗ above.' : 'Nothing needed is missing.');
  return missing ? 1 : 0;
}

export function findingLine({ state, what, found, todo }: Finding): string {
  return withPrintedCommands(`${SIGN[state]} ${what.padEnd(20)} ${found}${todo === undefined ? '' : ` → ${todo}`}`);
}

/** Below the line of its model. */
export function capabilityLine({ name, works, reason }: Capability): string {
  return `    ${name.padEnd(17)} ${works.padEnd(7)} ${reason}`;
}
