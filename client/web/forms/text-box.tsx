import type { KeyboardEventHandler, Ref } from 'react';

interface Props {
  value: string;
  onChange(value: string): void;
  id?: string;
  mono?: boolean;
  rows?: number;
  placeholder?: string;
  disabled?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
  onKeyDown?: KeyboardEventHandler<HTMLTextAreaElement>;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

/** A text input that grows with its text. */
export function TextBox({ value, onChange, mono = false, rows = 1, ...rest }: Props) {
  return (
    <textarea
      {...rest}
      className={mono ? 'mono' : ''}
      rows={Math.max(rows, Math.min(16, value.split('\n').length))}
      spellCheck={!mono}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
