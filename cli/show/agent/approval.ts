import type { ApprovalSpec } from '../../../agent/approvals/approval';
import type { AgentDefinition } from '../../../agent/define/agent-definition';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { spoken, table } from '../table';

/** A tool whose calls wait for a person. */
export interface ApprovalView extends Omit<ApprovalSpec, 'asks'> {
  tool: string;
  /** `when`: the tool's own predicate decides about each call. */
  calls: 'all' | 'when';
  /** Where it is set: the tool (or service) itself, the definition of its MCP server, or the agent's policies. */
  from: 'tool' | 'service' | 'server' | 'policies';
}

/** The tools of a manifest whose calls wait for a person. */
export function approvalViews(tools: readonly ToolSpec[], agent: AgentDefinition): ApprovalView[] {
  return tools.flatMap(({ name, kind, approval }) => {
    if (approval === undefined) return [];
    const policy =
      agent.policies !== undefined && Object.hasOwn(agent.policies, name) ? agent.policies[name] : undefined;
    const own = kind === 'service' ? agent.services?.[name] : agent.tools?.[name];
    const rules = policy?.approval ?? own?.approval;
    const { asks: _, ...spec } = approval;
    const from = policy?.approval !== undefined ? 'policies' : OWN[kind];
    const calls = typeof rules === 'object' && rules.when !== undefined ? 'when' : 'all';
    return { tool: name, calls, ...spec, from };
  });
}

const OWN = { internal: 'tool', service: 'service', mcp: 'server', loop: 'tool' } as const;

const HEADER = ['approval', 'calls', 'said by', 'who decides'];

/** Approvals as a table for people. A server whose tools all wait is one row. */
export function approvalLines(approvals: readonly ApprovalView[], tools: readonly { name: string }[]): string[] {
  const whole = new Set(approvals.map(serverOf).filter((server) => server !== '' && isWhole(server, approvals, tools)));
  const single = approvals.filter((view) => !whole.has(serverOf(view)));
  return table(HEADER, [
    ...single.map(approvalRow),
    ...[...whole].map((server) => [`${server}.…`, 'all of all tools', 'server', 'anybody']),
  ]);
}

/** The MCP server whose definition requires the approval, if one does. */
function serverOf({ tool, from }: ApprovalView): string {
  return from === 'server' ? tool.slice(0, tool.indexOf('.')) : '';
}

function isWhole(server: string, approvals: readonly ApprovalView[], tools: readonly { name: string }[]): boolean {
  const said = approvals.filter((view) => serverOf(view) === server);
  return said.length > 1 && said.length === tools.filter(({ name }) => name.startsWith(`${server}.`)).length;
}

function approvalRow(view: ApprovalView): string[] {
  return [view.tool, view.calls === 'when' ? 'as `when` says' : 'all', view.from, whoDecides(view)];
}

function whoDecides({ deciders = ['anybody'], expires, onExpire, escalation }: ApprovalView): string {
  const first = deciders.join(', ');
  if (expires === undefined) return first;
  const then =
    onExpire !== 'escalate' || escalation === undefined
      ? [onExpire === 'fail' ? ENDS.fail : ENDS.deny]
      : [`${escalation.deciders.join(', ')} within ${spoken(escalation.expires)}`, ENDS[escalation.onExpire]];
  return [`${first} within ${spoken(expires)}`, ...then].join(', else ');
}

const ENDS = { deny: 'denied', fail: 'the run fails' } as const;
