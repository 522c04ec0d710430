import { type KeyboardEvent, useState } from 'react';
import type { RunState } from '../../../../agent/state/run-state';
import { visibleName } from '../../../../agent/values/visible';
import { cancel, close, compact, deleteRun, regenerate, rename } from '../../api/runs';
import { useFirstWords } from '../../app/first-words';
import { Link } from '../../app/link';
import { MenuButton } from '../../app/menu-button';
import { go } from '../../app/navigation';
import { useRefusal } from '../../app/rights';
import { useWebUi } from '../../app/server-info';
import { BudgetBox } from './budget-box';
import { Menu, MenuItem } from './menu';

interface Props {
  id: string;
  state: RunState | undefined;
  working: boolean;
  /** How many things wait for a person. */
  waits: number;
  onUndo(): void;
  onAction(action: Promise<unknown>, done?: string): void;
}

/** The title of a run, its state, its spending, and what can be done with it. */
export function RunHead({ id, state, working, waits, onUndo, onAction }: Props) {
  const [renaming, setRenaming] = useState(false);
  const words = useFirstWords(id);
  const title = state?.title ?? words ?? state?.agent ?? 'Run';
  const webUi = useWebUi(id);
  const ended = state !== undefined && state.status !== 'running';
  const conversation = state?.mode === 'conversation';
  const refusal = useRefusal('message');
  const open = state !== undefined && !ended && refusal === undefined;
  const mayDelete = useRefusal('admin') === undefined;
  return (
    <header className="head">
      <MenuButton />
      <div className="head-title">
        {renaming ? (
          <Rename
            title={state?.title ?? ''}
            onDone={(text) => {
              setRenaming(false);
              if (text !== undefined) onAction(rename(id, text), 'Renamed.');
            }}
          />
        ) : (
          <h1 tabIndex={-1}>{visibleName(title)}</h1>
        )}
        <p className="hint">
          {state !== undefined && <StatusWord state={state} working={working} waits={waits} />}
          {visibleName(state?.agent ?? '')}
        </p>
      </div>
      {state !== undefined && <BudgetBox state={state} onAction={onAction} />}
      <Link to={{ view: 'timeline', id }} className="button quiet wide-only">
        Timeline
      </Link>
      <Menu label="More">
        <Link to={{ view: 'timeline', id }} className="menu-item narrow-only">
          Timeline
        </Link>
        {conversation && open && (
          <MenuItem disabled={working} onSelect={() => onAction(regenerate(id))}>
            Regenerate the last answer
          </MenuItem>
        )}
        {refusal === undefined ? (
          <MenuItem disabled={(state?.undoable.length ?? 0) === 0} onSelect={onUndo}>
            Undo the last effect
          </MenuItem>
        ) : (
          <p className="menu-note hint">{refusal}</p>
        )}
        {open && <MenuItem onSelect={() => setRenaming(true)}>Rename</MenuItem>}
        {conversation && open && (
          <MenuItem
            onSelect={() =>
              onAction(
                compact(id, keptBy(state.messages)),
                working ? 'Old messages are summed up before the next model call.' : '',
              )
            }
          >
            Compact
          </MenuItem>
        )}
        {conversation && open && (
          <MenuItem confirm onSelect={() => onAction(close(id), 'The conversation is closing.')}>
            Close the conversation
          </MenuItem>
        )}
        {open && (
          <MenuItem confirm onSelect={() => onAction(cancel(id), 'The run is being cancelled.')}>
            Cancel the run
          </MenuItem>
        )}
        {ended && mayDelete && (
          <MenuItem confirm onSelect={() => onAction(deleteRun(id).then(() => go({ view: 'home' })))}>
            Delete the run
          </MenuItem>
        )}
        {webUi !== undefined && (
          <a href={webUi} target="_blank" rel="noopener noreferrer" className="menu-item">
            Open in Temporal’s Web UI
          </a>
        )}
      </Menu>
    </header>
  );
}

/** Messages that stay as they are when a person asks for less: half of them, and no more than a run keeps by itself. */
function keptBy(messages: number): number {
  return Math.min(10, Math.floor(messages / 2));
}

function StatusWord({ state, working, waits }: { state: RunState; working: boolean; waits: number }) {
  const word = statusWord(state, working, waits);
  return <span className={`status ${word.replaceAll(' ', '-')}`}>{word}</span>;
}

function statusWord({ status, idle, closing, outage }: RunState, working: boolean, waits: number): string {
  if (status !== 'running') return status;
  if (waits > 0) return 'waits for you';
  if (closing !== undefined) return 'closing';
  if (outage !== undefined) return 'waits for the model';
  if (working) return 'working';
  return idle ? 'ready' : 'running';
}

function Rename({ title, onDone }: { title: string; onDone(text: string | undefined): void }) {
  const [text, setText] = useState(title);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone(undefined);
  };
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(text.trim() === '' ? undefined : text.trim());
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: a person has asked for this input.
        autoFocus
        aria-label="Title"
        value={text}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="small">
        Rename
      </button>
    </form>
  );
}
