import { type KeyboardEvent, type Ref, useId, useState } from 'react';
import type { When } from '../api/runs';
import { TextBox } from '../forms/text-box';

interface Props {
  /** The agent works: a message joins its work, and the button stops it. */
  working: boolean;
  /** What becomes of a message while the agent works. */
  meanwhile: { queue: string; now: string };
  /** Why no message can be sent. */
  disabled?: string;
  /** The user may say something to the run, or stop it. */
  allowed: boolean;
  text: string;
  onChange(text: string): void;
  onSend(text: string): void;
  onSteer(text: string, when: When): void;
  onStop(): void;
  box: Ref<HTMLTextAreaElement>;
}

/** The input for messages. It stays usable while the agent works: a message then waits for its next step, or interrupts. */
export function Composer(props: Props) {
  const { working, meanwhile, disabled, allowed, text, onChange, onSend, onSteer, onStop, box } = props;
  const [touched, setTouched] = useState(false);
  const [queue, now] = [useId(), useId()];
  const blocked = text.trim() === '' || disabled !== undefined;
  const submit = (when: When) => {
    if (blocked) return;
    setTouched(true);
    if (working) onSteer(text, when);
    else onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses Enter and Escape for itself.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit(event.ctrlKey || event.metaKey ? 'now' : 'queue');
    } else if (event.key === 'Escape' && working && allowed) {
      event.preventDefault();
      onStop();
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit('queue');
      }}
    >
      <TextBox
        ref={box}
        aria-label={working ? 'Message to the agent while it works' : 'Message'}
        placeholder={disabled ?? (working ? 'Message to the agent while it works' : 'Message')}
        disabled={disabled !== undefined}
        {...(working ? { 'aria-describedby': `${queue} ${now}` } : {})}
        value={text}
        onChange={onChange}
        onKeyDown={onKeyDown}
      />
      <div className="composer-actions">
        {working && disabled === undefined ? (
          <p className="hint">
            <span id={queue}>
              <kbd>Enter</kbd> Queue: {meanwhile.queue}
            </span>{' '}
            <span id={now}>
              <kbd>Ctrl+Enter</kbd> Send now: {meanwhile.now}
            </span>
          </p>
        ) : (
          <span className="hint">
            {touched || disabled !== undefined ? '' : 'Enter sends, Shift+Enter makes a new line'}
          </span>
        )}
        {allowed && working && (
          <button type="button" className="stop" title="Escape" onClick={onStop}>
            Stop
          </button>
        )}
        {allowed && working && (
          <button
            type="button"
            disabled={blocked}
            title={meanwhile.now}
            aria-describedby={now}
            onClick={() => submit('now')}
          >
            Send now
          </button>
        )}
        {allowed && (
          <button
            type="submit"
            className="primary"
            disabled={blocked}
            {...(working ? { title: meanwhile.queue, 'aria-describedby': queue } : {})}
          >
            {working ? 'Queue' : 'Send'}
          </button>
        )}
      </div>
    </form>
  );
}
