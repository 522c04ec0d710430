import { type ReactNode, useRef } from 'react';
import type { Waiting } from '../api/types';
import { announce } from '../app/announcer';
import { ApprovalCard } from './approval-card';
import { QuestionCard } from './question-card';

interface Props {
  waiting: Waiting;
  linked?: boolean;
  /** A card was decided. `left`: others remain. */
  onDecided(left: boolean): void;
  children?: ReactNode;
}

/** Cards of everything that waits for people, the oldest first. After a decision the next card has the focus. */
export function Cards({ waiting, linked = false, onDecided, children }: Props) {
  const list = useRef<HTMLElement>(null);
  const decided = (text: string) => {
    announce(text);
    const cards = [...(list.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const next = cards[at + 1] ?? cards[at - 1];
    next?.focus();
    onDecided(next !== undefined);
  };
  const cards = [
    ...waiting.approvals.map((approval) => ({
      key: `${approval.id} ${approval.toolUseId}`,
      since: approval.requestedAt,
      card: <ApprovalCard approval={approval} linked={linked} onDecided={decided} />,
    })),
    ...waiting.questions.map((question) => ({
      key: `${question.id} ${question.questionId}`,
      since: question.askedAt,
      card: <QuestionCard question={question} linked={linked} onDecided={decided} />,
    })),
  ].sort((a, b) => a.since - b.since);
  return (
    <section ref={list} className="cards" aria-label="Waiting for you">
      {cards.map(({ key, card }) => (
        <div key={key}>{card}</div>
      ))}
      {children}
    </section>
  );
}
