import type { BudgetLimits } from '../../../agent/budget/amounts';
import { SOFT } from '../../../agent/budget/budget';
import { toJsonSchema } from '../../../agent/contracts/schema';
import type { AgentDefinition } from '../../../agent/define/agent-definition';
import { moneyText } from '../../../agent/model/cost/money';
import type { JsonSchema, Manifest } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { oneLine } from '../../lines/facts/fact-line';
import { inputExample } from '../../lines/start-command';
import { spoken } from '../table';

/** What decides about a whole run of an agent, beside its models and limits. Times are milliseconds. */
export interface FrameView
  extends Pick<Manifest, 'mode' | 'idle' | 'strategy' | 'budget' | 'contextWindow' | 'context' | 'completes'> {
  /** JSON Schema of the input. Missing: any JSON. */
  input?: JsonSchema;
  /** JSON Schema of the output. Missing: the text of the answer. */
  output?: JsonSchema;
  /** How long a run waits for each model of the chain while it does not answer. */
  modelPatience: { [alias: string]: number };
  /** The folder that the model may read. */
  files?: string;
}

/** @param definition the agent, with the version of its contract that a run gets by default */
export function frameView(manifest: Manifest, definition: AgentDefinition): FrameView {
  const { mode, idle, strategy, budget, contextWindow, context, completes, output, modelPatience = {} } = manifest;
  const input = definition.inputSchema && toJsonSchema(definition.inputSchema);
  const files = definition.files?.root;
  return {
    ...defined({ mode, idle, strategy, budget, contextWindow, context, completes, output, input, files }),
    modelPatience,
  };
}

/** Lines for people: what differs from an agent that has only a model. */
export function frameLines(view: FrameView, { startPatience }: { startPatience: number }): string[] {
  const { mode, idle, strategy, budget, input, output, completes, files } = view;
  return [
    ...(mode === undefined ? [] : [`mode  conversation, which ends ${idleText(idle)}`]),
    ...(input === undefined ? [] : [`takes  ${oneLine(inputExample(input))}`]),
    ...(output === undefined ? [] : [`gives  ${oneLine(inputExample(output))}`]),
    ...(completes === undefined ? [] : ['answer  only by `task_completion`: a plain text does not count']),
    ...(strategy === undefined ? [] : [`plan  made first; each step picks from ${strategy.stepTools} tools`]),
    ...(budget === undefined ? [] : budgetTexts(budget).map((text) => `budget  ${text}`)),
    `waits  ${patienceText(view)} for a model that does not answer, ${spoken(startPatience)} for MCP servers and builders that fail`,
    ...windowTexts(view).map((text) => `window  ${text}`),
    ...(files === undefined ? [] : [`files  in ${files}`]),
  ];
}

function idleText(idle: number | undefined): string {
  return idle === undefined ? 'when it is closed' : `${spoken(idle)} after the last message`;
}

function budgetTexts({ run, exchange, soft = SOFT }: NonNullable<Manifest['budget']>): string[] {
  const told = `the model is told at ${Math.round(soft * 100)} %`;
  return [['', limitTexts(run)] as const, ['each exchange: ', limitTexts(exchange)] as const].flatMap(
    ([scope, limits]) => (limits.length === 0 ? [] : [`${scope}${limits.join(', ')}; ${told}`]),
  );
}

function limitTexts({ tokens, cost, toolCalls, modelCalls, time, deadline }: BudgetLimits): string[] {
  const count = (amount: number | undefined, what: string) =>
    amount === undefined ? [] : [`${amount.toLocaleString('en')} ${what}`];
  return [
    ...count(tokens, 'tokens'),
    ...(cost === undefined ? [] : [moneyText(cost)]),
    ...count(toolCalls, 'tool calls'),
    ...count(modelCalls, 'model calls'),
    ...(time === undefined ? [] : [`${spoken(time)} of work`]),
    ...(deadline === undefined ? [] : [`${spoken(deadline)} from the start`]),
  ];
}

/** One time for all, or one for each. */
function patienceText({ modelPatience }: FrameView): string {
  const times = Object.entries(modelPatience);
  const [first] = times;
  if (first !== undefined && times.every(([, ms]) => ms === first[1])) return spoken(first[1]);
  return times.map(([alias, ms]) => `${spoken(ms)} (${alias})`).join(', ');
}

const COMPACTED = {
  trim: 'left out',
  summarise: 'summarised',
  'tool-results': 'kept, with one line for each tool result',
  function: 'replaced by a function of the agent',
} as const;

function windowTexts({ contextWindow, context }: FrameView): string[] {
  if (contextWindow === undefined && context === undefined) return [];
  const { strategy = 'trim', keep, model } = context ?? {};
  return [
    [
      contextWindow === undefined ? 'of unknown size' : `${contextWindow.toLocaleString('en')} tokens`,
      `when it fills, old messages are ${COMPACTED[strategy]}${model === undefined ? '' : ` by ${model}`}`,
      ...(keep === undefined ? [] : [`the newest ${keep} stay`]),
    ].join('; '),
  ];
}
