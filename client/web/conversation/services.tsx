import { visibleName } from '../../../agent/values/visible';
import type { PendingService } from '../api/types';
import { Link } from '../app/link';
import { timeText } from '../text/times';

/** Calls that wait for a service or another agent. */
export function Services({ waiting }: { waiting: readonly PendingService[] }) {
  if (waiting.length === 0) return null;
  return (
    <ul className="services" aria-label="Waiting for others">
      {waiting.map(({ id, toolUseId, tool, kind, ref, since }) => (
        <li key={`${id} ${toolUseId}`} className="hint">
          {kind === 'agent' ? (
            <Link to={{ view: 'run', id: ref }}>{visibleName(tool)}</Link>
          ) : (
            <span>{visibleName(tool)}</span>
          )}
          {` works since ${timeText(since)}`}
        </li>
      ))}
    </ul>
  );
}
