import { type KeyboardEvent, type Ref, useState } from 'react';
import { TextBox } from '../forms/text-box';

interface Props {
  /** The agent works: a message steers it, and the button stops it. */
  working: boolean;
  /** Why no message can be sent. */
  disabled?: string;
  text: string;
  onChange(text: string): void;
  onSend(text: string): void;
  onSteer(text: string): void;
  onStop(): void;
  box: Ref<HTMLTextAreaElement>;
}

/** The input for messages. It stays usable while the agent works. */
export function Composer({ working, disabled, text, onChange, onSend, onSteer, onStop, box }: Props) {
  const [touched, setTouched] = useState(false);
  const empty = text.trim() === '';
  const submit = () => {
    if (empty || disabled !== undefined) return;
    setTouched(true);
    (working ? onSteer : onSend)(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses Enter and Escape for itself.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && working) {
      event.preventDefault();
      onStop();
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextBox
        ref={box}
        aria-label={working ? 'Message to steer the agent' : 'Message'}
        placeholder={disabled ?? (working ? 'Steer the agent while it works' : 'Message')}
        disabled={disabled !== undefined}
        value={text}
        onChange={onChange}
        onKeyDown={onKeyDown}
      />
      <div className="composer-actions">
        <span className="hint">
          {working ? 'Enter steers, Escape stops' : touched ? '' : 'Enter sends, Shift+Enter makes a new line'}
        </span>
        {working && (
          <button type="button" className="stop" onClick={onStop}>
            Stop
          </button>
        )}
        <button type="submit" className="primary" disabled={empty || disabled !== undefined}>
          {working ? 'Steer' : 'Send'}
        </button>
      </div>
    </form>
  );
}
