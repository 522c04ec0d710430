import { visible, visibleName } from '../../../agent/values/visible';
import { durationText } from '../text/times';
import { scaleOf } from './scale';
import type { Exchange, Span } from './spans-of';

/** What took time in an exchange: one bar each. */
export function Chart({ exchange, now }: { exchange: Exchange; now: number }) {
  const { spans, start } = exchange;
  const end = Math.max(start + 1, exchange.end ?? now);
  const scale = scaleOf(spans, start, end);
  return (
    <div className="chart">
      {scale.breaks.length > 0 && <p className="hint">Waits are drawn shorter than they were.</p>}
      <ul>
        {spans.map((span) => (
          <Bar key={span.key} span={span} now={end} from={scale.at(span.start)} to={scale.at(span.end ?? end)} />
        ))}
      </ul>
    </div>
  );
}

const WORDS = { model: 'model', tool: 'tool', service: 'service', wait: 'wait' };

function Bar({ span, now, from, to }: { span: Span; now: number; from: number; to: number }) {
  const { kind, label, start, end, failed, notes } = span;
  const took = durationText((end ?? now) - start);
  return (
    <li className={`bar-row ${kind} ${failed ? 'failed' : ''} ${end === undefined ? 'open' : ''}`}>
      <span className="bar-label">
        <span className="bar-kind">{WORDS[kind]}</span> {visibleName(label)}
      </span>
      <span className="bar-track" aria-hidden="true">
        <span className="bar" style={{ left: `${from * 100}%`, width: `max(3px, ${(to - from) * 100}%)` }} />
      </span>
      <span className="bar-time">
        {took}
        {end === undefined ? ' so far' : ''}
        {failed ? ', failed' : ''}
      </span>
      {notes.length > 0 && <span className="bar-notes hint">{visible(notes.join(', '))}</span>}
    </li>
  );
}
