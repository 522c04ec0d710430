import { Context } from '@temporalio/activity';
import type { Usage } from '../../agent/model/cost/usage';
import { textMessages } from '../../agent/model/text-calls/text-messages';
import { timeForTools } from '../../agent/plan/with-answer';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { streamAnswer } from './answer/stream-answer';
import { type Attempt, isAskedFor, timeLeft } from './attempt';
import { makeRequests, type RequestDeps, type Way } from './make-requests';
import type { PreparedCall } from './prepare-call';
import { inTextOf } from './text-calls/text-request';
import type { Warn } from './usage/warnings';
import { fitCall } from './window/fit-call';
import { measuredCall, ownCount } from './window/measured-call';
import { isTooLong, refusedAsTooLong } from './window/too-long';

/** Asks the model for an answer. */
export function askModel(
  deps: RequestDeps,
  call: PreparedCall,
  { attempt, warn }: { attempt: Attempt; warn: Warn },
): Promise<CallModelResult> {
  const { input, config, manifest, context, system, messages, offer } = call;
  const { model: alias, structuredOutput, despiteOutage } = input;
  const isText = manifest.toolCalls === 'text';
  const isAsked = isAskedFor() || (despiteOutage === true && Context.current().info.attempt === 1);
  const shown = { ...shownToModel(call), ...defined({ offered: isText ? undefined : offer?.tools }) };
  const asked = {
    ...{ alias, config, attempt, isAsked, structuredOutput },
    interactive: isAsked || manifest.mode === 'conversation',
    // Calls in text describe the tools in the system prompt, which takes about as much.
    sent: () => ({ system, messages, tools: (offer?.tools ?? manifest.tools).map(asSent) }),
    traced: { call: input, loaded: { ...call, ...shown, context: { ...context, ...defined({ system }) } } },
    // Where calls are text, the output is described in text: a server is asked for nothing that it might refuse.
    output: isText ? undefined : manifest.output,
  };
  return makeRequests(deps, asked, (way) => makeRequest(call, { attempt, warn, way }));
}

/** What a model reads of a tool. */
const asSent = ({ modelName, description, inputSchema }: ToolSpec) => ({ modelName, description, inputSchema });

/** What a span says of a request: where calls are text, it has no tools, and earlier calls are text. */
function shownToModel({ manifest, messages }: PreparedCall): Pick<PreparedCall, 'manifest' | 'messages'> {
  if (manifest.toolCalls !== 'text') return { manifest, messages };
  return { manifest: { ...manifest, tools: [] }, messages: textMessages(messages, manifest.tools) };
}

async function makeRequest(
  call: PreparedCall,
  { attempt, warn, way: { answers, ...way } }: { attempt: Attempt; warn: Warn; way: Way },
): Promise<CallModelResult> {
  const { input, manifest, system, messages, fitted, mask, offer, tell } = call;
  let reported: Usage | undefined;
  try {
    const answer = await streamAnswer({
      ...way,
      ...{ system, messages, tools: manifest.tools, output: manifest.output, mask, warn },
      ...defined({ offered: offer?.tools }),
      nameRepair: manifest.nameRepair,
      ...{ toolChoice: input.toolChoice, uncalled: input.uncalled, call: input.turn, mediaAgain: input.mediaAgain },
      inText: inTextOf(manifest, input),
      turnMessage: (call.sections?.names.length ?? 0) > 0,
      time: timeLeft(attempt) - timeForTools(input),
      counted: fitted && ownCount(fitted),
      onDelta(body) {
        answers();
        tell(body);
      },
      onUsage: (usage) => {
        reported = usage;
      },
    });
    tell({ type: 'stream.complete' });
    if (fitted === undefined || !call.tellsWindow) return answer;
    return { ...answer, ...measuredCall(fitted, reported?.prompt) };
  } catch (error) {
    if (!isTooLong(error)) throw error;
    throw refusedAsTooLong(error, fitted ?? (await fitCall(call.fit)));
  }
}
