import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface Props {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A part that may be larger than its place. Only then, it is a stop of the keyboard, which scrolls it. */
export function Scrolling({ label, className = '', children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0, scrollWidth = 0, clientWidth = 0 } = box.current ?? {};
    setOverflows(scrollHeight > clientHeight || scrollWidth > clientWidth);
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of inputs.
    <div
      ref={box}
      role="group"
      aria-label={label}
      className={`scrolling ${className}`}
      {...(overflows ? { tabIndex: 0 } : {})}
    >
      {children}
    </div>
  );
}
