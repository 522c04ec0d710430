import { useEffect, useLayoutEffect, useRef } from 'react';

/** Pixels from the end within which the view follows new text. */
const NEAR = 80;

/** Keeps a scrolling element at its end while it grows, unless a person has scrolled up to read. */
export function useStickToEnd() {
  const element = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const box = element.current;
    const onScroll = () => {
      if (box !== null) atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    };
    box?.addEventListener('scroll', onScroll, { passive: true });
    return () => box?.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    const box = element.current;
    const { activeElement } = document;
    // Where a person types into a card, nothing moves.
    const types = activeElement?.matches('input, textarea, select') === true && box?.contains(activeElement) === true;
    if (box !== null && atEnd.current && !types) box.scrollTop = box.scrollHeight;
  });
  return element;
}
