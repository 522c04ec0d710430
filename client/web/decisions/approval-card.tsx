import { type KeyboardEvent, useEffect, useRef } from 'react';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { type CallDecision, decide } from '../api/decisions';
import type { PendingApproval } from '../api/types';
import { useRefusal } from '../app/rights';
import { fieldsOfValue } from '../forms/fields';
import { type ObjectDraft, ObjectForm, objectDraft, readObject } from '../forms/object-form';
import { TextBox } from '../forms/text-box';
import { JsonView } from '../text/json-view';
import { roughly, timeText } from '../text/times';
import { CardHead } from './card-head';
import { useDraft } from './drafts';

type Remembered = 'once' | 'run' | 'agent';

interface ApprovalDraft {
  mode: 'look' | 'deny' | 'edit';
  remember: Remembered;
  reason: string;
  edited: ObjectDraft;
  busy: boolean;
  problem: string;
}

interface Props {
  approval: PendingApproval;
  /** The card is in a list over all runs. */
  linked?: boolean;
  onDecided(text: string): void;
}

/** A call that waits for a decision: what would run, and approve, deny or edit. */
export function ApprovalCard({ approval, linked = false, onDecided }: Props) {
  const fields = fieldsOfValue(approval.input);
  const refusal = useRefusal('decide');
  const [draft, change, forget] = useDraft<ApprovalDraft>(`${approval.id} ${approval.toolUseId}`, () => ({
    mode: 'look',
    remember: 'once',
    reason: '',
    edited: objectDraft(fields, approval.input),
    busy: false,
    problem: '',
  }));
  const send = async (decision: CallDecision, word: string) => {
    change({ busy: true, problem: '' });
    try {
      await decide(approval, draft.remember === 'once' ? decision : { ...decision, remember: draft.remember });
      forget();
      onDecided(`${visibleName(approval.tool)}: ${word}.`);
    } catch (error) {
      change({ busy: false, problem: messageOf(error) });
    }
  };
  const approve = () => void send({ decision: 'approve' }, 'approved');
  const deny = () =>
    void send({ decision: 'deny', ...(draft.reason === '' ? {} : { reason: draft.reason }) }, 'denied');
  const edit = () => {
    const read = readObject(fields, draft.edited);
    if ('problems' in read) change({ edited: { ...draft.edited, problems: read.problems } });
    else void send({ decision: 'edit', input: read.value }, 'approved with edited arguments');
  };
  const card = useRef<HTMLElement>(null);
  const mode = useRef(draft.mode);
  useEffect(() => {
    if (draft.mode !== mode.current && draft.mode !== 'look')
      card.current?.querySelector<HTMLElement>('textarea, .fields input')?.focus();
    mode.current = draft.mode;
  }, [draft.mode]);
  const look = () => change({ mode: 'look', problem: '' });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && draft.mode !== 'look') {
      event.stopPropagation();
      look();
      event.currentTarget.focus();
    }
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (draft.busy || refusal !== undefined) return;
    if (event.key === 'a') approve();
    else if (event.key === 'd') change({ mode: 'deny' });
    else if (event.key === 'e') change({ mode: 'edit' });
    else return;
    event.preventDefault();
  };
  return (
    <article
      ref={card}
      className="card approval"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the card is reached by j and k, and takes single keys.
      tabIndex={0}
      data-card
      data-run={approval.id}
      aria-label={`Approval: ${visibleName(approval.tool)} of ${visibleName(approval.agent)}`}
      onKeyDown={onKeyDown}
    >
      <CardHead kind="Approval" of={approval} linked={linked} since={approval.requestedAt} />
      <Notes approval={approval} />
      {draft.mode === 'edit' ? (
        <ObjectForm
          label="Edited arguments"
          fields={fields}
          draft={draft.edited}
          onChange={(edited) => change({ edited })}
        />
      ) : (
        <JsonView value={approval.input} label={`Arguments of ${visibleName(approval.tool)}`} />
      )}
      {draft.mode === 'deny' && <Reason value={draft.reason} onChange={(reason) => change({ reason })} onSend={deny} />}
      {draft.problem !== '' && (
        <p className="problem" role="alert">
          {draft.problem}
        </p>
      )}
      {refusal === undefined ? (
        <Actions draft={draft} change={change} onApprove={approve} onDeny={deny} onEdit={edit} onBack={look} />
      ) : (
        <p className="hint">{refusal}</p>
      )}
    </article>
  );
}

interface ActionsProps {
  draft: ApprovalDraft;
  change(part: Partial<ApprovalDraft>): void;
  onApprove(): void;
  onDeny(): void;
  onEdit(): void;
  onBack(): void;
}

function Actions({ draft, change, onApprove, onDeny, onEdit, onBack }: ActionsProps) {
  return (
    <div className="actions">
      {draft.mode === 'look' && (
        <>
          <button type="button" className="primary" disabled={draft.busy} onClick={onApprove}>
            Approve
          </button>
          <button type="button" disabled={draft.busy} onClick={() => change({ mode: 'deny' })}>
            Deny …
          </button>
          <button type="button" disabled={draft.busy} onClick={() => change({ mode: 'edit' })}>
            Edit …
          </button>
        </>
      )}
      {draft.mode === 'deny' && (
        <button type="button" className="danger" disabled={draft.busy} onClick={onDeny}>
          Deny
        </button>
      )}
      {draft.mode === 'edit' && (
        <button type="button" className="primary" disabled={draft.busy} onClick={onEdit}>
          Approve as edited
        </button>
      )}
      {draft.mode !== 'look' && (
        <button type="button" className="quiet" onClick={onBack}>
          Back
        </button>
      )}
      <label className="remember">
        <span>Applies to</span>
        <select value={draft.remember} onChange={(e) => change({ remember: e.target.value as Remembered })}>
          <option value="once">this call</option>
          <option value="run">this run</option>
          <option value="agent">all runs of this agent</option>
        </select>
      </label>
    </div>
  );
}

function Notes({ approval }: { approval: PendingApproval }) {
  const { deciders, expiresAt, escalated, repeats, grantsUnread } = approval;
  const notes = [
    ...(expiresAt === undefined ? [] : [`Expires at ${timeText(expiresAt)} (${roughly(expiresAt - Date.now())}).`]),
    ...(deciders === undefined ? [] : [`May be decided by ${deciders.join(', ')}.`]),
    ...(escalated === true ? ['Those who were asked first did not decide.'] : []),
    ...(repeats === undefined ? [] : [`The same call (${repeats}) may already have run: its outcome is unknown.`]),
    ...(grantsUnread === true ? ['Remembered decisions could not be read. One may apply.'] : []),
  ];
  return notes.length === 0 ? null : <p className="hint">{visible(notes.join(' '))}</p>;
}

function Reason({ value, onChange, onSend }: { value: string; onChange(value: string): void; onSend(): void }) {
  return (
    <div className="field">
      <TextBox
        rows={2}
        aria-label="Reason, which the model reads"
        placeholder="Reason (the model reads it)"
        value={value}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onSend();
        }}
      />
    </div>
  );
}
