import { type KeyboardEvent, useEffect, useRef } from 'react';
import { messageOf } from '../api/api-error';
import type { WaitingOfAll } from '../api/types';
import type { Polled } from '../api/use-polled';
import { MenuButton } from '../app/menu-button';
import { go } from '../app/navigation';
import { Cards } from '../decisions/cards';
import { movedBy } from './moved-by';

/** What waits, and how much of it, which the badge beside the list shows too. */
type InboxValue = Polled<WaitingOfAll | undefined> & { count: number };

/** Everything that waits for a person, over all runs. */
export default function Inbox({ inbox, onDecided }: { inbox: InboxValue; onDecided(): void }) {
  const { value, error, refresh, count } = inbox;
  const root = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const unanswered = value?.unanswered ?? 0;
  useEffect(() => title.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const cards = [...(root.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const to = movedBy(event.key, at, cards.length);
    if (to !== undefined) cards[to]?.focus();
    else if (event.key === 'o' && at !== -1) openRun(cards[at]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: j and k move between the cards, wherever the focus is in the inbox.
    <div className="inbox" ref={root} onKeyDown={onKeyDown}>
      <header className="head">
        <MenuButton />
        <div className="head-title">
          <h1 ref={title} tabIndex={-1}>
            Inbox
          </h1>
          <p className="hint">{count === 1 ? '1 thing waits for you' : `${count} things wait for you`}</p>
        </div>
      </header>
      <div className="scroller">
        <div className="column">
          <p className="hint keys">
            <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>a</kbd> approve, <kbd>d</kbd> deny, <kbd>e</kbd> edit,{' '}
            <kbd>o</kbd> open the run
          </p>
          {error !== undefined && (
            <p className="problem" role="alert">
              {messageOf(error)}
            </p>
          )}
          {unanswered > 0 && (
            <p className="problem" role="status">
              {unanswered === 1
                ? 'One run that waits did not answer: is its worker running?'
                : `${unanswered} runs that wait did not answer: is their worker running?`}
            </p>
          )}
          {value !== undefined && count + unanswered === 0 && <p className="empty">Nothing waits for you.</p>}
          {value !== undefined && (
            <Cards
              waiting={value}
              linked
              onDecided={(left) => {
                refresh();
                onDecided();
                if (!left) title.current?.focus();
              }}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}

function openRun(card: HTMLElement | undefined): void {
  const id = card?.dataset.run;
  if (id !== undefined) go({ view: 'run', id });
}
