import { memo } from 'react';
import { visible } from '../../../../agent/values/visible';
import { MediaView } from '../../calls/output-view';
import { ToolCall } from '../../calls/tool-call';
import { CopyButton } from '../../text/copy-button';
import { JsonView } from '../../text/json-view';
import { Markdown } from '../../text/markdown';
import { valueIn } from '../../text/value-in';
import type { ChatMessage, QuestionData } from './chat-message';
import { answerText, type Block, blocksOf, planOf, spentOf } from './message-parts';
import { Plan } from './plan';
import { SpentLine } from './spent';

interface Props {
  message: ChatMessage;
  /** Its exchange is in progress. */
  working: boolean;
}

/** One message: what a person said as it is, what the agent said with Markdown, thinking and calls folded. */
export const Message = memo(function Message({ message, working }: Props) {
  if (message.role === 'user') {
    return (
      <article className="message user" aria-label="You">
        {blocksOf(message).map((block) => (
          <div key={block.key}>{block.kind === 'text' ? <Said text={block.text} /> : <File block={block} />}</div>
        ))}
      </article>
    );
  }
  const blocks = blocksOf(message);
  const plan = planOf(message);
  const spent = spentOf(message);
  const answer = answerText(message);
  const reason = message.metadata?.reason;
  return (
    <article className="message assistant" aria-label="Agent" aria-busy={working}>
      {plan !== undefined && <Plan steps={plan} />}
      {blocks.map((block) => (
        <BlockView key={block.key} block={block} working={working} />
      ))}
      {reason === 'interrupted' && <p className="hint">Stopped.</p>}
      {reason === 'failed' && (
        <p className="problem">{visible(message.metadata?.error?.message ?? 'The exchange failed.')}</p>
      )}
      {reason === 'cancelled' && <p className="hint">Cancelled.</p>}
      {!working && (answer !== '' || spent.tokens > 0) && (
        <footer className="message-foot">
          {answer !== '' && <CopyButton text={answer} label="Copy answer" />}
          <SpentLine {...spent} />
        </footer>
      )}
    </article>
  );
});

function BlockView({ block, working }: { block: Block; working: boolean }) {
  switch (block.kind) {
    case 'text':
      return <Text text={block.text} done={block.done} />;
    case 'thinking':
      return (
        <details className="thinking">
          <summary>{block.done || !working ? 'Thought' : 'Thinking …'}</summary>
          <p className="plain">{visible(block.text)}</p>
        </details>
      );
    case 'call':
      return (
        <ToolCall
          part={block.part}
          approval={block.approval}
          asks={block.asks}
          progress={block.progress}
          working={working}
        />
      );
    case 'steer':
      return (
        <div className="message user steer">
          <p className="plain">{visible(block.text)}</p>
        </div>
      );
    case 'question':
      return <Asked {...block.question} />;
    case 'file':
      return <File block={block} />;
  }
}

/** What a person said, or the input of a task. */
function Said({ text }: { text: string }) {
  const value = valueIn(text);
  return value === undefined ? <p className="plain">{visible(text)}</p> : <JsonView value={value} label="Input" />;
}

/** An answer that is a value is shown as one. */
function Text({ text, done }: { text: string; done: boolean }) {
  const value = done ? valueIn(text) : undefined;
  return value === undefined ? <Markdown text={text} /> : <JsonView value={value} label="Value" />;
}

/** A question in the text. The card to answer it is below the conversation. */
function Asked({ question, status, answer, by }: QuestionData) {
  const reply = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return (
    <div className="asked-line">
      <p className="plain">{visible(question)}</p>
      {status !== 'open' && (
        <p className="hint">{visible(`${status}${by === undefined ? '' : ` by ${by}`}${reply ? `: ${reply}` : ''}`)}</p>
      )}
    </div>
  );
}

function File({ block }: { block: Block }) {
  if (block.kind !== 'file') return null;
  const { mediaType, url, name } = block;
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  return (
    <MediaView
      media={{
        type: 'media',
        mediaType,
        ...(data === undefined ? { url } : { data }),
        ...(name === undefined ? {} : { name }),
      }}
    />
  );
}
