import type { Client } from '@temporalio/client';
import type { Agent } from '../../agent/define/agent-definition';
import { isAgentName } from '../../agent/define/agent-name';
import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import { RunHandle } from '../../client/runs/run-handle';
import { type Config, loadConfig } from '../../runtime/config/config';
import { give, say, warn } from '../../runtime/print';
import { loadAgents } from '../../workers/load/load-agents';
import { loadModels } from '../../workers/load/load-models';
import { EXIT } from '../exit-code';
import { addressAt, type GivenAddress, type Place } from '../remote/place';
import { needsTemporal } from '../remote/rules';
import { connectRemote } from '../remote/run-client';
import { unknownAgent } from '../unknown-agent';
import { withClient } from '../with-client';
import { isBroken, viewAgent } from './agent/agent';
import { agentLines } from './agent/agent-lines';
import { promptLines } from './prompt/lines';
import { viewPrompt } from './prompt/view';
import { type RunView, runLines, toldBy, viewRun } from './run';
import { showTool, type ToolSinks } from './tool';

export interface ShowOptions extends Place {
  /** `name` is an agent's name. */
  agent?: boolean;
  run?: boolean;
  json?: boolean;
  full?: boolean;
  tool?: string;
  /** `true`: that of the last call. */
  prompt?: string | true;
  out?: string;
}

/** Milliseconds that a worker may take to answer: it may have to replay a long run first. */
const WORKER_TIMEOUT = 20_000;

/**
 * `holdfast show`: an agent or a run. A name that temporal.yaml has an agent for is that agent, any other is a run.
 * `--agent`, `--run` and `--tool` remove the guess.
 */
export async function show(name: string, options: ShowOptions): Promise<number> {
  if (options.out !== undefined && options.tool === undefined) {
    warn("error: '--out <file>' needs '--tool <toolUseId>'");
    return EXIT.usage;
  }
  if (typeof options.prompt === 'string' && !/^[1-9]\d{0,8}$/.test(options.prompt)) {
    warn(`error: '--prompt [turn]' takes the number of a turn, got '${options.prompt}'`);
    return EXIT.usage;
  }
  const address = addressAt(options);
  if (address !== undefined) return showServed(address, name, options);
  const config = await loadConfig(defined({ path: options.config }));
  const isRun = options.run === true || options.tool !== undefined || options.prompt !== undefined;
  if (isRun || (!options.agent && !isAgentName(name)))
    return withClient(config, ({ temporal }) => showRun(temporal, name, options, config));
  // A run can be viewed even if the agents' modules are missing or broken.
  const { agents, failure } = await loadAgents(config).then(
    (loaded) => ({ agents: loaded, failure: undefined }),
    (error: unknown) => ({ agents: [] as Agent[], failure: error }),
  );
  const names = agents.map((one) => one.name);
  const agent = agents.find((one) => one.name === name);
  if (agent !== undefined) return showAgent(agent, config, options);
  const unknown = failure ?? unknownAgent(name, names, config);
  if (options.agent) throw unknown;
  return withClient(config, ({ temporal }) => showRun(temporal, name, options, config), { patience: 0 }).catch(
    (error: unknown) => {
      const neither = error instanceof HoldfastError && ['RunNotFound', 'NoServer'].includes(error.type);
      if (!neither) throw error;
      throw failure ?? unknownAgent(name, names, config, `As the id of a run: ${error.message}`);
    },
  );
}

async function showAgent(agent: Agent, config: Config, { json = false }: ShowOptions): Promise<number> {
  const view = await viewAgent(agent, { ...config, models: await loadModels(config) });
  if (json) give(`${JSON.stringify({ ok: !isBroken(view), ...view }, null, 2)}\n`, 'json');
  else say(...agentLines(view));
  return isBroken(view) ? 1 : 0;
}

async function showRun(client: Client, id: string, options: ShowOptions, config: Config): Promise<number> {
  const { json = false, full = false, tool, out, prompt } = options;
  if (prompt !== undefined) return showPrompt(client, id, { json, prompt, config });
  if (tool !== undefined) {
    const run = new RunHandle(client, id, { workerTimeout: WORKER_TIMEOUT });
    return showTool(run, tool, { json, out }, SINKS);
  }
  return showView(await viewRun(client, id, { workerTimeout: WORKER_TIMEOUT }), { json, full });
}

const SINKS: ToolSinks = { out: give, err: warn };

/** A run at a served address. Only runs are there: agents are the modules of a temporal.yaml. */
async function showServed(address: GivenAddress, id: string, options: ShowOptions): Promise<number> {
  const { json = false, full = false, tool, out, agent, prompt } = options;
  if (agent || prompt !== undefined) throw needsTemporal(`show ${agent ? '--agent' : '--prompt'}`);
  const run = (await connectRemote(address)).get(id);
  if (tool !== undefined) return showTool(run, tool, { json, out }, SINKS);
  return showView(await toldBy(run), { json, full });
}

function showView(view: RunView, { json, full }: { json: boolean; full: boolean }): number {
  if (json) give(`${JSON.stringify(view, null, 2)}\n`, 'json');
  else say(...runLines(view, full));
  return view.problem === undefined ? 0 : 1;
}

/** `holdfast show <run> --prompt [turn]`. */
async function showPrompt(
  client: Client,
  id: string,
  { json, prompt, config }: { json: boolean; prompt: string | true; config: Config },
): Promise<number> {
  const turn = prompt === true ? undefined : Number(prompt);
  const view = await viewPrompt(client, id, { turn, models: await loadModels(config), workerTimeout: WORKER_TIMEOUT });
  if (view === undefined) {
    warn(
      turn === undefined
        ? `The run \`${id}\` has no prompt yet: its agent is being looked up.`
        : `The run \`${id}\` has no model call of turn ${turn}, or the server no longer has it.`,
    );
    return 1;
  }
  if (json) give(`${JSON.stringify(view, null, 2)}\n`, 'json');
  else say(...promptLines(view));
  return 0;
}
