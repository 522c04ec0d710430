import { useRef, useState } from 'react';
import type { Json } from '../../../agent/values/json';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { randomId } from '../api/random-id';
import { startRun } from '../api/runs';
import type { AgentInfo } from '../api/types';
import { MenuButton } from '../app/menu-button';
import { go } from '../app/navigation';
import { useRefusal } from '../app/rights';
import { keepFirstMessage } from '../conversation/run/first-message';
import { useDraft } from '../decisions/drafts';
import { fieldsOfSchema, parsed } from '../forms/fields';
import { type ObjectDraft, ObjectForm, objectDraft, readObject } from '../forms/object-form';
import { TextBox } from '../forms/text-box';

interface StartDraft {
  text: string;
  form: ObjectDraft;
}

/** Starts a run of an agent: a first message for a conversation, an input for a task. */
export function NewRun({ agent, onStarted }: { agent: AgentInfo; onStarted(): void }) {
  const { name, description, mode, inputSchema } = agent;
  const fields = inputSchema === undefined ? undefined : fieldsOfSchema(inputSchema);
  const [draft, change, forget] = useDraft<StartDraft>(`new ${name}`, () => ({
    text: '',
    form: objectDraft(fields, {}),
  }));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  // The same key for each try: a lost answer does not start a second run.
  const key = useRef('');
  const isTask = mode === 'task';
  // The first message of a conversation whose input has no schema is like all others.
  const isSaid = !isTask && fields === undefined;

  const refusal = useRefusal(...(isSaid ? (['start', 'message'] as const) : (['start'] as const)));

  const start = async (input: Json | undefined) => {
    setBusy(true);
    setProblem('');
    key.current ||= randomId();
    try {
      const { id } = await startRun(name, input, key.current);
      if (isSaid) keepFirstMessage(id, draft.text);
      forget();
      onStarted();
      go({ view: 'run', id });
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  const submit = () => {
    const input = inputOf();
    if ('value' in input) void start(input.value);
    else if (input.problem !== '') setProblem(input.problem);
  };
  /** An empty problem: the form shows what is wrong. */
  const inputOf = (): { value: Json | undefined } | { problem: string } => {
    if (fields !== undefined) {
      const read = readObject(fields, draft.form);
      if ('value' in read) return read;
      change({ form: { ...draft.form, problems: read.problems } });
      return { problem: '' };
    }
    if (isSaid) return { value: undefined };
    return inputSchema === undefined || inputSchema.type === 'string' ? { value: draft.text } : parsed(draft.text);
  };
  const ready = refusal === undefined && (fields !== undefined || draft.text.trim() !== '');
  return (
    <>
      <header className="head">
        <MenuButton />
        <div className="head-title">
          <h1 tabIndex={-1}>{visibleName(name)}</h1>
          <p className="hint">{isTask ? 'New task' : 'New conversation'}</p>
        </div>
      </header>
      <div className="scroller">
        <form
          className="column new"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {description !== undefined && <p>{visible(description)}</p>}
          {fields !== undefined ? (
            <ObjectForm label="Input" fields={fields} draft={draft.form} onChange={(form) => change({ form })} />
          ) : (
            <TextBox
              rows={3}
              aria-label={isTask ? 'Input' : 'First message'}
              placeholder={isTask ? 'Input' : 'First message'}
              value={draft.text}
              onChange={(text) => change({ text })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                event.preventDefault();
                if (ready && !busy) submit();
              }}
            />
          )}
          {refusal !== undefined && <p className="hint">{refusal}</p>}
          {problem !== '' && (
            <p className="problem" role="alert">
              {visible(problem)}
            </p>
          )}
          <div className="actions">
            <button type="submit" className="primary" disabled={busy || !ready}>
              Start
            </button>
          </div>
        </form>
      </div>
    </>
  );
}
