import { type KeyboardEvent, useId } from 'react';
import type { Json } from '../../../agent/values/json';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { answer, type Reply } from '../api/decisions';
import type { PendingQuestion } from '../api/types';
import { useRefusal } from '../app/rights';
import { fieldsOfSchema, parsed } from '../forms/fields';
import { type ObjectDraft, ObjectForm, objectDraft, readObject } from '../forms/object-form';
import { TextBox } from '../forms/text-box';
import { isSafeLink } from '../text/safe-address';
import { timeText } from '../text/times';
import { CardHead } from './card-head';
import { useDraft } from './drafts';

interface QuestionDraft {
  text: string;
  form: ObjectDraft;
  busy: boolean;
  problem: string;
}

interface Props {
  question: PendingQuestion;
  linked?: boolean;
  onDecided(text: string): void;
}

/** A question of an agent: suggestions, a text, or a form for the answer's schema. */
export function QuestionCard({ question, linked = false, onDecided }: Props) {
  const { schema, suggestions, url, expiresAt } = question;
  const fields = schema === undefined ? undefined : fieldsOfSchema(schema);
  const isObject = fields !== undefined;
  const refusal = useRefusal('message');
  const [draft, change, forget] = useDraft<QuestionDraft>(`${question.id} ${question.questionId}`, () => ({
    text: '',
    form: objectDraft(fields, {}),
    busy: false,
    problem: '',
  }));
  const send = async (reply: Reply) => {
    change({ busy: true, problem: '' });
    try {
      await answer(question, reply);
      forget();
      onDecided('decline' in reply ? 'Question declined.' : 'Question answered.');
    } catch (error) {
      change({ busy: false, problem: messageOf(error) });
    }
  };
  const sendTyped = () => {
    if (isObject) {
      const read = readObject(fields, draft.form);
      if ('problems' in read) change({ form: { ...draft.form, problems: read.problems } });
      else void send({ answer: read.value });
      return;
    }
    const read = answerOf(draft.text, schema?.type);
    if ('problem' in read) change({ problem: read.problem });
    else void send({ answer: read.value });
  };
  const onEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || draft.text.trim() === '') return;
    event.preventDefault();
    sendTyped();
  };
  const asked = useId();
  return (
    <article
      className="card question"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the card is reached by j and k.
      tabIndex={0}
      data-card
      data-run={question.id}
      aria-label={`Question of ${visibleName(question.agent)}`}
      aria-describedby={asked}
    >
      <CardHead kind="Question" of={question} linked={linked} since={question.askedAt} />
      <p id={asked} className="asked">
        {visible(question.question)}
      </p>
      {expiresAt !== undefined && <p className="hint">{`Expires at ${timeText(expiresAt)}.`}</p>}
      {url !== undefined && <Page url={url} />}
      {refusal !== undefined ? (
        <p className="hint">{refusal}</p>
      ) : (
        <>
          {suggestions !== undefined && suggestions.length > 0 && (
            <div className="suggestions">
              {suggestions.map((text) => (
                <button type="button" key={text} disabled={draft.busy} onClick={() => void send({ answer: text })}>
                  {visible(text)}
                </button>
              ))}
            </div>
          )}
          {isObject ? (
            <ObjectForm label="Answer" fields={fields} draft={draft.form} onChange={(form) => change({ form })} />
          ) : (
            <TextBox
              aria-label="Answer"
              placeholder={url === undefined ? 'Answer' : 'Say that you have done it'}
              value={draft.text}
              onChange={(text) => change({ text, problem: '' })}
              onKeyDown={onEnter}
            />
          )}
          {draft.problem !== '' && (
            <p className="problem" role="alert">
              {draft.problem}
            </p>
          )}
          <div className="actions">
            <button
              type="button"
              className="primary"
              disabled={draft.busy || (!isObject && draft.text.trim() === '')}
              onClick={sendTyped}
            >
              Answer
            </button>
            <button type="button" className="quiet" disabled={draft.busy} onClick={() => void send({ decline: true })}>
              Decline
            </button>
          </div>
        </>
      )}
    </article>
  );
}

/** The address is shown in full: a person decides whether to visit it. */
function Page({ url }: { url: string }) {
  if (!isSafeLink(url)) return <p className="hint">{visible(url)}</p>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {visible(url)}
    </a>
  );
}

function answerOf(text: string, type: Json | undefined): { value: Json } | { problem: string } {
  return type === undefined || type === 'string' ? { value: text } : parsed(text);
}
