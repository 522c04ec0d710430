import type { MouseEvent, ReactNode } from 'react';
import { go } from './navigation';
import { pathOf, type Route } from './routes';

interface Props {
  to: Route;
  children: ReactNode;
  className?: string;
  'aria-current'?: 'page' | undefined;
}

/** A link to another view. With a modifier key, the browser opens it as it opens other links. */
export function Link({ to, children, className, 'aria-current': current }: Props) {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={pathOf(to)} className={className} aria-current={current} onClick={onClick}>
      {children}
    </a>
  );
}
