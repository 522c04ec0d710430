import { talkProblems } from '../conversation/check-talk';
import { retold } from '../determinism/random/check-run';
import type { ToolLine } from '../durability/stage/tool-log';
import { ONCE } from './agents';
import type { Played } from './play';

/** Problems of facts, transcript and views of one run. */
export function playProblems(played: Played): string[] {
  if (played.stuck !== undefined) return [...played.problems, played.stuck];
  const { facts, messages, state, end } = played;
  const last = facts.at(-1);
  const ended = facts.findLast(({ type }) => type === 'loop.end');
  const reason = ended?.type === 'loop.end' ? ended.reason : undefined;
  // A call that failed costs something, too, and the next one has the number of its turn. A call of a plan has the turn of
  // its router in its id.
  const isMeant = (problem: string) => /^usage twice|has the id/.test(problem);
  return [
    ...played.problems,
    ...talkProblems(facts, messages).filter((problem) => !isMeant(problem)),
    ...retold(played),
    ...(end.startsWith('no HoldfastError') ? [end] : []),
    ...((end === 'completed') === (reason === 'completed')
      ? []
      : [`ended with ${end}; last fact ${JSON.stringify(last)}`]),
    ...(state?.facts === facts.length ? [] : [`state has ${state?.facts} facts of ${facts.length}`]),
    ...(state?.messages === messages.length ? [] : [`state has ${state?.messages} messages of ${messages.length}`]),
    ...(state?.status === reason ? [] : [`state is ${state?.status}, ended ${reason}`]),
    ...(state?.batch.some(({ status }) => status === 'open') ? [`open calls after the end`] : []),
    ...countProblems(played),
    ...budgetProblems(played),
  ];
}

/** The sums that the end tells are those of the facts. */
function countProblems({ facts, state }: Played): string[] {
  const problems: string[] = [];
  const sum = { prompt: 0, completion: 0 };
  for (const fact of facts) {
    if (fact.type !== 'usage') continue;
    sum.prompt += fact.usage.prompt;
    sum.completion += fact.usage.completion;
  }
  const told = state?.usage;
  const below = state?.children?.usage;
  const expected = {
    prompt: sum.prompt + (below?.prompt ?? 0),
    completion: sum.completion + (below?.completion ?? 0),
  };
  if (told?.prompt !== expected.prompt || told?.completion !== expected.completion)
    problems.push(`usage is ${JSON.stringify(told)}, by its facts ${JSON.stringify(expected)}`);
  return problems;
}

/** Calls are counted before they are made. The size of an answer is not known before: one call may be too much. */
function budgetProblems({ facts, state }: Played): string[] {
  const run = state?.budgets?.run ?? {};
  const largest = facts.reduce(
    (most, fact) => (fact.type === 'usage' ? Math.max(most, fact.usage.prompt + fact.usage.completion) : most),
    0,
  );
  const over = (kind: 'modelCalls' | 'toolCalls' | 'tokens') =>
    (run[kind]?.spent ?? 0) - (run[kind]?.limit ?? Infinity);
  const isOver = { calls: over('modelCalls') > 0 || over('toolCalls') > 0, tokens: over('tokens') > largest };
  // What child agents wrote is in no fact of this run.
  const isWrong = isOver.calls || (isOver.tokens && state?.children === undefined);
  const isReserved = Object.values(run).some(({ reserved }) => reserved !== 0);
  return isWrong || isReserved ? [`budget at the end: ${JSON.stringify(run)}`] : [];
}

/** Calls of effect `once` that began twice, from the traces of all runs. */
export function onceProblems(lines: readonly ToolLine[]): string[] {
  const begun = new Map<string, number>();
  for (const { event, tool, key } of lines) {
    if (event !== 'start' || !ONCE.some((name) => tool.startsWith(`${name} `) || tool.startsWith(`undo ${name} `)))
      continue;
    begun.set(String(key), (begun.get(String(key)) ?? 0) + 1);
  }
  return [...begun].flatMap(([key, times]) => (times > 1 ? [`the call ${key} began ${times} times`] : []));
}

/** Results of calls that are told as done and never ran, or ran to the end and are told as not done. */
export function effectProblems({ id, facts }: Played, lines: readonly ToolLine[]): string[] {
  const own = lines.filter((line) => line.run === id);
  return facts.flatMap((fact): string[] => {
    if ((fact.type !== 'tool.result' && fact.type !== 'tool.error') || !ONCE.some((name) => name === fact.name))
      return [];
    const ran = own.filter(({ toolUseId, tool }) => toolUseId === fact.toolUseId && !tool.startsWith('undo '));
    const [starts, ends] = ['start', 'end'].map((event) => ran.filter((line) => line.event === event).length);
    if (fact.type === 'tool.result')
      return starts === 1 && ends === 1
        ? []
        : [`${fact.name} ${fact.toolUseId} is done, began ${starts}, ended ${ends}`];
    const isMeant = starts === 0 || /^(ToolFailed|OutcomeUnknown|ToolCancelled)$/.test(fact.error.type);
    return isMeant ? [] : [`${fact.name} ${fact.toolUseId} began ${starts}, told as ${fact.error.type}`];
  });
}
