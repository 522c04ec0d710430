import { useEffect, useRef } from 'react';
import type { Waiting } from '../api/types';
import { announce } from '../app/announcer';
import { lastWords } from './message/message-parts';
import type { RunChat } from './run/run-chat';

/** Maximum characters of an answer that are said unasked. */
const SAID = 1_000;

interface Announced {
  working: boolean;
  waiting: Waiting;
  /** Which model gives no answer. */
  away: string | undefined;
  /** Why nothing happens. */
  silence: string | undefined;
}

/** Says each answer once when it is finished, and each wait once. Nothing is said about what was there before. */
export function useAnnouncements(run: RunChat, { working, waiting, away, silence }: Announced): void {
  const wasWorking = useRef(false);
  const said = useRef(new Set<string>());
  useEffect(() => {
    // What is shown may be a moment behind.
    const last = run.chat.lastMessage;
    if (wasWorking.current && !working && last?.role === 'assistant' && !said.current.has(last.id)) {
      said.current.add(last.id);
      const text = lastWords(last).slice(0, SAID);
      announce(text === '' ? 'The agent has finished.' : `Answer: ${text}`);
    }
    wasWorking.current = working;
  }, [working, run]);
  useEffect(() => {
    if (away !== undefined) announce(`${away} Holdfast asks it again by itself.`);
  }, [away]);
  const saidWhy = useRef(false);
  useEffect(() => {
    // Each attempt has a text of its own: only the first is said.
    if (silence !== undefined && !saidWhy.current) announce(silence);
    saidWhy.current = silence !== undefined || (saidWhy.current && working);
  }, [silence, working]);
  useEffect(() => {
    const asks = [
      ...waiting.approvals.map(
        ({ id, toolUseId, tool }) => [`${id} ${toolUseId}`, `Approval needed: ${tool}`] as const,
      ),
      ...waiting.questions.map(
        ({ id, questionId, question }) => [`${id} ${questionId}`, `Question: ${question}`] as const,
      ),
    ];
    for (const [key, text] of asks) {
      if (said.current.has(key)) continue;
      said.current.add(key);
      announce(text);
    }
  }, [waiting]);
}
