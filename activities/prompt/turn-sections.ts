import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { Log } from '../../agent/define/context';
import type { TurnSectionArgs } from '../../agent/define/settings/prompt-settings';
import { type Message, textOf } from '../../agent/model/message';
import { turnText } from '../../agent/prompt-sections/default-texts';
import { TOOL_SECTIONS } from '../../agent/prompt-sections/places';
import { askedIn } from '../../agent/prompt-sections/turn-message';
import type { CallModelInput } from '../../agent/protocol/calls/model-call';
import type { LeftOutSection, SectionProblem, SentSection } from '../../agent/protocol/calls/sent-sections';
import type { Manifest, RunContext, ToolSpec } from '../../agent/protocol/manifest';
import type { PromptSpec, SectionSpec } from '../../agent/protocol/prompt-spec';
import { defined } from '../../agent/values/defined';
import { makeCtx } from '../ctx';
import { thrownProblem } from '../failures/thrown-problem';
import type { LoopWatch } from '../loop-watch';
import { settle } from '../tools/settle';

/** All sections together may have this many times the characters of one. */
const TOGETHER = 3;

/** The sections of one call, and those that were left out of it. */
export interface TurnSections {
  sent: readonly SentSection[];
  leftOut: readonly LeftOutSection[];
}

export const NO_SECTIONS: TurnSections = { sent: [], leftOut: [] };

export interface TurnSectionsDeps {
  agentOf(name: string): AgentDefinition | undefined;
  watch: LoopWatch;
  log: Log;
}

interface SectionCall {
  call: Pick<CallModelInput, 'turn' | 'lifecycle' | 'opened'>;
  manifest: Manifest;
  /** The tools of the call. Default: those of the manifest. */
  offered?: readonly ToolSpec[];
  context: RunContext;
  messages: readonly Message[];
  cancelled: AbortSignal;
  /** Milliseconds that the functions may take, at most. */
  time: number;
}

type Made = { text: string } | { error: LeftOutSection['error'] };

/**
 * Makes the sections of the turn message of one call. Functions run at once; one that fails leaves out only its section.
 * @throws CancelledFailure, and the failure of a worker that shuts down
 */
export async function makeTurnSections(deps: TurnSectionsDeps, given: SectionCall): Promise<TurnSections> {
  const spec = given.manifest.prompt;
  if (spec === undefined) return NO_SECTIONS;
  const made = await Promise.all(spec.sections.map((section) => makeSection(deps, { ...given, spec, section })));
  return bounded(spec, made);
}

async function makeSection(
  deps: TurnSectionsDeps,
  given: SectionCall & { spec: PromptSpec; section: SectionSpec },
): Promise<Made> {
  const { section, manifest, offered = manifest.tools } = given;
  switch (section.from) {
    case 'text':
      return { text: section.text };
    case 'default':
      return { text: turnText(section.name, { ...manifest, tools: offered }) ?? '' };
    case 'function':
      return callFunction(deps, given);
  }
}

async function callFunction(
  { agentOf, watch, log }: TurnSectionsDeps,
  {
    section: { name },
    spec,
    manifest,
    context,
    messages,
    call,
    cancelled,
    time,
  }: SectionCall & {
    spec: PromptSpec;
    section: SectionSpec;
  },
): Promise<Made> {
  const given = agentOf(manifest.agent)?.prompt?.turn?.[name];
  const make = typeof given === 'object' && given !== null ? given.text : given;
  if (typeof make !== 'function')
    return problem('SectionMissing', 'The agent on this worker no longer has a function for it.');
  const timeout = Math.max(1, Math.min(spec.timeout, time));
  const settled = await settle<unknown>(
    (signal) => {
      const ctx = makeCtx({ manifest, context, turn: call.turn, log, signal });
      const args: TurnSectionArgs = {
        agent: { name: manifest.agent, ...defined({ description: manifest.description }) },
        turn: call.turn,
        lifecycle: call.lifecycle,
        message: textOf(askedIn(messages, call.opened) ?? { parts: [] }),
        messages,
        tools: manifest.tools,
        ctx,
      };
      return watch.run({ run: ctx.id, tool: `prompt.turn.${name}` }, () => make(args));
    },
    { cancelled, timeout, grace: 0 },
  );
  if (settled.type === 'timeout')
    return problem('SectionTimedOut', `Its function gave no text in ${timeout / 1000} s.`);
  if (settled.type === 'thrown')
    return problem('SectionFailed', `Its function failed: ${thrownProblem(settled.error)}`);
  const { value } = settled;
  if (value === undefined || typeof value === 'string') return { text: value ?? '' };
  return problem('SectionFailed', 'Its function returned no text. Return a string, or undefined to leave it out.');
}

/** Drops empty sections, and those that are too long, alone or together with the ones before them. */
function bounded({ sections, maxChars }: PromptSpec, made: readonly Made[]): TurnSections {
  const sent: SentSection[] = [];
  const leftOut: LeftOutSection[] = [];
  let room = maxChars * TOGETHER;
  for (const [index, one] of made.entries()) {
    const { name, after, from } = sections[index] ?? { name: '' };
    if ('error' in one) {
      leftOut.push({ name, error: one.error });
      continue;
    }
    const { length } = one.text;
    // What tells of the tools is as long as it is, like the field of a request.
    const limit = from === 'default' ? length : Math.min(maxChars, room);
    if (length > limit) {
      const where = limit < maxChars ? `the ${limit} that the sections before it leave` : `the limit of ${maxChars}`;
      leftOut.push({ name, ...problem('SectionTooLarge', `It has ${length} characters, more than ${where}.`) });
    } else if (one.text.trim() !== '') {
      if (from !== 'default') room -= length;
      sent.push({ name, text: one.text, ...(after === undefined ? {} : { after }) });
    }
  }
  return { sent, leftOut };
}

/**
 * The sections without the longest one, which does not fit into the window of the model. What tells of the tools stays: a
 * model that does not know them cannot work. `undefined`: no other section is left.
 */
export function withoutLongest({ sent, leftOut }: TurnSections): TurnSections | undefined {
  const [first, ...others] = sent.filter(({ name }) => !TOOL_SECTIONS.includes(name));
  if (first === undefined) return undefined;
  const longest = others.reduce((most, one) => (one.text.length > most.text.length ? one : most), first);
  const message = `It does not fit into the window of the model, beside what must be sent: it has ${longest.text.length} characters.`;
  return {
    sent: sent.filter((one) => one !== longest),
    leftOut: [...leftOut, { name: longest.name, ...problem('SectionTooLarge', message) }],
  };
}

function problem(type: SectionProblem, message: string): { error: LeftOutSection['error'] } {
  return { error: { type, message } };
}
