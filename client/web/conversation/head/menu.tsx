import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

/** Actions behind a button. Escape, a choice, or a click elsewhere closes it. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('focusin', away);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('focusin', away);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever the focus is in it.
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button ref={button} type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click on an item closes the menu.
        <div
          className="menu-items"
          onClick={(event) => {
            if ((event.target as HTMLElement).closest('[data-closes]') === null) return;
            setOpen(false);
            button.current?.focus();
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}

interface ItemProps {
  disabled?: boolean;
  /** What it does cannot be taken back: it asks once more. */
  confirm?: boolean;
  onSelect(): void;
  children: string;
}

export function MenuItem({ disabled = false, confirm = false, onSelect, children }: ItemProps) {
  const [asked, setAsked] = useState(false);
  const asks = confirm && !asked;
  return (
    <button
      type="button"
      className={`menu-item ${asked ? 'danger' : ''}`}
      disabled={disabled}
      {...(asks ? {} : { 'data-closes': true })}
      onClick={() => (asks ? setAsked(true) : onSelect())}
    >
      {asked ? `Really? ${children}` : children}
    </button>
  );
}
