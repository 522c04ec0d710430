import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { visible, visibleName } from '../../../agent/values/visible';
import { stateOf } from '../api/runs';
import { usePolled } from '../api/use-polled';
import { useFirstWords } from '../app/first-words';
import { Link } from '../app/link';
import { MenuButton } from '../app/menu-button';
import { useWebUi } from '../app/server-info';
import { JsonView } from '../text/json-view';
import { durationText, timeText } from '../text/times';
import { Chart } from './chart';
import { factText } from './fact-text';
import { type Exchange, exchangesOf } from './spans-of';
import { useFacts } from './use-facts';

/** How many exchanges are drawn at first: the newest ones. */
const DRAWN = 20;

/** The view of what a run did, and how long it took. */
export default function Timeline({ id }: { id: string }) {
  const { facts, ended, problem } = useFacts(id);
  const exchanges = useMemo(() => exchangesOf(facts), [facts]);
  const [drawn, setDrawn] = useState(DRAWN);
  const fetchState = useCallback(() => stateOf(id), [id]);
  const { value: state } = usePolled(fetchState, 30_000);
  const webUi = useWebUi(id);
  const words = useFirstWords(id);
  const now = useNow(!ended);
  const shown = exchanges.slice(-drawn);
  return (
    <>
      <header className="head">
        <MenuButton />
        <div className="head-title">
          <h1 tabIndex={-1}>Timeline</h1>
          <p className="hint">{visibleName(state?.title ?? words ?? id)}</p>
        </div>
        <Link to={{ view: 'run', id }} className="button quiet">
          Conversation
        </Link>
        {webUi !== undefined && (
          <a className="button quiet wide-only" href={webUi} target="_blank" rel="noopener noreferrer">
            Temporal Web UI
          </a>
        )}
      </header>
      <div className="scroller">
        <div className="column wide">
          {problem !== '' && (
            <p className="problem" role="alert">
              {visible(problem)}
            </p>
          )}
          {problem === '' && facts.length === 0 && <p className="hint">Loading …</p>}
          {shown.length < exchanges.length && (
            <button type="button" className="quiet" onClick={() => setDrawn(drawn + DRAWN)}>
              {`Show ${Math.min(DRAWN, exchanges.length - shown.length)} earlier`}
            </button>
          )}
          {shown.map((exchange) => (
            <ExchangeView key={exchange.number} exchange={exchange} now={now} />
          ))}
        </div>
      </div>
    </>
  );
}

function ExchangeView({ exchange, now }: { exchange: Exchange; now: number }) {
  const { number, asked, start, end, reason, facts } = exchange;
  const took = durationText((end ?? now) - start);
  return (
    <section className="exchange">
      <h2>
        <span className="hint">{number}</span> {visibleName(asked.slice(0, 120))}
      </h2>
      <p className="hint">{`${timeText(start)}, ${end === undefined ? `in progress for ${took}` : `${reason ?? 'ended'} after ${took}`}`}</p>
      <Chart exchange={exchange} now={now} />
      <details className="facts">
        <summary>{`${facts.length} facts`}</summary>
        <ol>
          {facts.map((fact) => (
            <FactLine key={fact.seq} fact={fact} since={start} />
          ))}
        </ol>
      </details>
    </section>
  );
}

function FactLine({ fact, since }: { fact: Fact; since: number }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="fact-seq">{fact.seq}</span>
          <span className="fact-time">{`+${durationText(Math.max(0, fact.time - since))}`}</span>
          <span className="fact-type">{fact.type}</span>
          <span className="fact-text">{visibleName(factText(fact))}</span>
        </summary>
        {open && <JsonView value={fact} label={`Fact ${fact.seq}`} />}
      </details>
    </li>
  );
}

/** The time, once a second while something is in progress. */
function useNow(ticks: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticks) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [ticks]);
  return now;
}
