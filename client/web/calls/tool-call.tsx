import { getToolName } from 'ai';
import { visible, visibleName } from '../../../agent/values/visible';
import type { ApprovalData, ChatData } from '../conversation/message/chat-message';
import { useRunActions } from '../conversation/message/run-actions';
import { JsonView } from '../text/json-view';
import { type CallPart, callStateOf, decisionText, shortArguments, undoText } from './call-state';
import { OutputView } from './output-view';

interface Props {
  part: CallPart;
  approval: ApprovalData | undefined;
  /** It asks a person a question, which is open. */
  asks: boolean;
  progress: ChatData['progress'] | undefined;
  /** The exchange is in progress. */
  working: boolean;
}

/** One call of a tool, folded: its name and state; unfolded: its arguments and its result. */
export function ToolCall({ part, approval, asks, progress, working }: Props) {
  const { id, undoable, undo, undone } = useRunActions();
  const takenBack = undone.get(part.toolCallId);
  const { tone, word } = callStateOf(part, approval, { working, asks, undone: takenBack?.outcome });
  const undoing = takenBack === undefined ? '' : undoText(takenBack);
  const decision = approval === undefined ? '' : decisionText(approval);
  return (
    <details className={`call ${tone}`}>
      <summary>
        <span className="sign" aria-hidden="true" />
        <span className="name">{visibleName(getToolName(part))}</span>
        <span className="short">{visibleName(shortArguments(part.input))}</span>
        <span className="word">{word}</span>
      </summary>
      <div className="inside">
        {decision !== '' && <p className="hint">{visible(decision)}</p>}
        {undoing !== '' && <p className="hint">{visible(undoing)}</p>}
        <h4>Arguments</h4>
        <JsonView value={part.input ?? {}} label="Arguments" />
        {progress !== undefined && part.state === 'input-available' && <Progress {...progress} />}
        {part.state === 'output-available' && (
          <>
            <h4>Result</h4>
            <OutputView run={id} toolUseId={part.toolCallId} output={part.output} />
          </>
        )}
        {part.state === 'output-error' && (
          <>
            <h4>Error</h4>
            <JsonView value={part.errorText} label="Error" />
          </>
        )}
        {undoable.has(part.toolCallId) && (
          <button type="button" className="small" onClick={() => undo(part.toolCallId)}>
            Undo this call
          </button>
        )}
      </div>
    </details>
  );
}

function Progress({ progress, total, message }: ChatData['progress']) {
  return (
    <p className="progress">
      <progress value={progress} {...(total === undefined ? {} : { max: total })} aria-label="Progress of the call" />
      {message !== undefined && <span>{visible(message)}</span>}
    </p>
  );
}
