import { makeManifest } from '../../../activities/context/make-manifest';
import { hasTool } from '../../../activities/failures/missing';
import type { Agent } from '../../../agent/define/agent-definition';
import { definitionAt, versionNumbers } from '../../../agent/define/versions';
import type { Manifest, ToolSpec } from '../../../agent/protocol/manifest';
import { pinnedVersion } from '../../../agent/protocol/pinned-version';
import { narrowed } from './narrowed';

/** What this version of the code has. */
export interface Code {
  agents: readonly Agent[];
  /** Aliases of models. */
  models: readonly string[];
  /** Names of outlets. */
  outlets: readonly string[];
}

/** Something that a run has pinned and that the code no longer has as it was. */
export interface Misfit {
  /** The run cannot go on. Missing: one of its calls will fail, or may. */
  ends?: true;
  /** What happens to the run. */
  what: string;
  /** What to do about it. */
  todo: string;
}

/** What will hurt a run that goes on with this code. What a run has pinned and goes on using is left out. Pure. */
export function misfits(manifest: Manifest, code: Code): Misfit[] {
  const agent = code.agents.find(({ name }) => name === manifest.agent);
  if (agent === undefined) return [agentGone(manifest)];
  const version = pinnedVersion(manifest);
  const known = versionNumbers(agent.definition);
  if (!known.includes(version)) return [versionGone(manifest, known)];
  const now = makeManifest(definitionAt(agent.definition, version), [], { searchAttributes: false });
  return [
    ...modelsGone(manifest, code),
    ...outletsGone(manifest, code),
    ...outputChanged(manifest, now),
    ...manifest.tools.flatMap((tool) => {
      const current = now.tools.find(({ name }) => name === tool.name);
      return hasTool(agent.definition, tool) || tool.kind === 'service'
        ? toolChanged(tool, current, code)
        : [toolGone(tool, current)];
    }),
  ];
}

/** A failure ends a task, and one exchange of a conversation. */
function failing({ mode }: Manifest): string {
  return mode === 'conversation' ? 'its next exchange fails' : 'the run fails';
}

function agentGone(manifest: Manifest): Misfit {
  const what = `the agent \`${manifest.agent}\` is gone: after a minute of trying ${failing(manifest)} with UnknownAgent`;
  return { ends: true, what, todo: 'keep the agent until these runs have ended, or cancel them' };
}

function versionGone(manifest: Manifest, known: readonly string[]): Misfit {
  const { agent } = manifest;
  const what = `version ${pinnedVersion(manifest)} of the contract of \`${agent}\` is gone, it has ${known.join(', ')}: after a minute of trying ${failing(manifest)} with UnknownVersion`;
  return { ends: true, what, todo: 'keep the version until these runs have ended, or cancel them' };
}

function modelsGone(manifest: Manifest, { models: known }: Code): Misfit[] {
  const { models, fallbackAnswer, context } = manifest;
  const gone = models.filter((alias) => !known.includes(alias));
  const todo =
    'define the alias in temporal.yaml until these runs have ended, or `holdfast switch-model <run> <alias>`';
  const found: Misfit[] = [];
  if (gone.length > 0) {
    const names = gone.map((alias) => `\`${alias}\``).join(', ');
    if (gone.length < models.length)
      found.push({
        what: `the model ${names} is gone: after a minute of trying the run uses the next of its models`,
        todo,
      });
    else if (fallbackAnswer !== undefined)
      found.push({
        what: `the model ${names} is gone: after a minute of trying it answers with its static answer`,
        todo,
      });
    else
      found.push({
        ends: true,
        what: `the model ${names} is gone: after a minute of trying ${failing(manifest)} with UnknownModel`,
        todo,
      });
  }
  if (context?.model !== undefined && !known.includes(context.model))
    found.push({
      what: `the model \`${context.model}\`, which writes its summaries, is gone: old messages are left out without a summary`,
      todo: 'define the alias in temporal.yaml until these runs have ended',
    });
  return found;
}

function outletsGone({ tools, replies }: Manifest, { outlets }: Code): Misfit[] {
  const used = tools.flatMap((tool) =>
    tool.kind === 'service' && tool.service.kind === 'event' ? [tool.service.outlet] : [],
  );
  const gone = new Set(
    [...used, ...(replies === undefined ? [] : [replies])].filter((name) => !outlets.includes(name)),
  );
  return [...gone].map((name) => ({
    what: `the outlet \`${name}\` is gone: events of the run cannot be sent`,
    todo: 'define it in temporal.yaml until these runs have ended',
  }));
}

function outputChanged(manifest: Manifest, { output: now }: Manifest): Misfit[] {
  const { output: before } = manifest;
  const why = before && now && narrowed(before, now);
  if (why === undefined) return [];
  return [
    {
      what: `the output schema takes less than the run tells its model (${why}): its answers may be refused until ${failing(manifest)}`,
      todo: 'take the old form, too, until these runs have ended',
    },
  ];
}

function toolGone({ name, kind }: ToolSpec, current: ToolSpec | undefined): Misfit {
  const is = current === undefined ? 'is gone' : `is now ${KIND[current.kind]} instead of ${KIND[kind]}`;
  return {
    what: `the tool \`${name}\` ${is}: a call of it fails after a minute with ToolMissing, which the model reads`,
    todo: 'keep the tool until these runs have ended',
  };
}

const KIND: { readonly [K in ToolSpec['kind']]: string } = {
  internal: 'a function',
  mcp: 'a tool of an MCP server',
  service: 'a service',
  loop: 'a tool of the loop',
};

/** A tool that is still there. A service is called as the run has pinned it, also where the agent no longer has it. */
function toolChanged(tool: ToolSpec, current: ToolSpec | undefined, { agents }: Code): Misfit[] {
  const { name } = tool;
  if (tool.kind === 'service') {
    if (tool.service.kind !== 'agent' || tool.service.taskQueue !== undefined) return [];
    const { workflow, contract } = tool.service;
    const called = agents.find((agent) => agent.name === workflow);
    if (called === undefined) {
      const what = `the agent \`${workflow}\`, which \`${name}\` calls, is gone: a call of it fails after a minute with UnknownAgent`;
      return [{ what, todo: 'keep the agent until these runs have ended' }];
    }
    if (!versionNumbers(called.definition).includes(contract.version)) {
      const what = `version ${contract.version} of the contract of \`${workflow}\`, which \`${name}\` calls, is gone: a call of it fails after a minute with UnknownVersion`;
      return [{ what, todo: 'keep the version until these runs have ended' }];
    }
  } else if (tool.kind !== 'internal') return [];
  if (current?.kind !== tool.kind) return [];
  const stricter = tool.kind === 'internal' ? stricterNow(tool, current) : [];
  const why = narrowed(tool.inputSchema, current.inputSchema);
  if (why === undefined) return stricter;
  const what = `the tool \`${name}\` takes less than the run tells its model (${why}): a call may fail with InvalidArguments`;
  return [...stricter, { what, todo: 'take the old arguments, too, or give the tool a new name' }];
}

const CAUTION: { readonly [E in ToolSpec['effect']]: number } = { read: 0, idempotent: 1, once: 2 };

/** What protects calls of new runs alone: the new code runs as the run has pinned it. */
function stricterNow({ name, effect, approval }: ToolSpec, now: ToolSpec): Misfit[] {
  const todo = 'give the changed tool a new name and keep the old one until these runs have ended, or cancel them';
  const found: Misfit[] = [];
  if (CAUTION[now.effect] > CAUTION[effect]) {
    const what = `the tool \`${name}\` is \`${now.effect}\` now, and the run has pinned \`${effect}\`: a call whose worker is lost runs again`;
    found.push({ what, todo });
  }
  if (approval === undefined && now.approval !== undefined) {
    const what = `the tool \`${name}\` needs approval now, and the run has pinned that it does not: its calls run without it`;
    found.push({ what, todo });
  }
  return found;
}
