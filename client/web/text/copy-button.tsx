import { useState } from 'react';

/** Copies a text. It says for a moment that it has. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    // Not available over plain HTTP from another machine.
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" className="quiet small" onClick={() => void copy()}>
      {copied ? 'Copied' : label}
    </button>
  );
}
