import { visible, visibleJson } from '../../../agent/values/visible';
import { Scrolling } from './scrolling';

/** A value as JSON that hides nothing. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <Scrolling className="json" label={label}>
      <pre>{typeof value === 'string' ? visible(value) : visibleJson(value, 2)}</pre>
    </Scrolling>
  );
}
