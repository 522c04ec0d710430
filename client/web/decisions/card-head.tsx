import { visibleName } from '../../../agent/values/visible';
import { Link } from '../app/link';
import { timeText } from '../text/times';

interface Props {
  kind: 'Approval' | 'Question';
  of: { id: string; agent: string; tool: string };
  linked: boolean;
  since: number;
}

/** The first line of a card: what waits, and since when; in a list over all runs, also whose it is. */
export function CardHead({ kind, of, linked, since }: Props) {
  return (
    <header className="card-head">
      <span className="kind">{kind}</span>
      <span className="name">{visibleName(of.tool)}</span>
      {linked ? (
        <Link to={{ view: 'run', id: of.id }}>{`${visibleName(of.agent)}, ${visibleName(of.id)}`}</Link>
      ) : (
        <span className="hint">{visibleName(of.agent)}</span>
      )}
      <time className="hint" dateTime={new Date(since).toISOString()}>
        {timeText(since)}
      </time>
    </header>
  );
}
