import type { ServiceEvent } from '../../../agent/protocol/event';

/** An event as a run sends it. */
export function someEvent(more: Partial<ServiceEvent> = {}): ServiceEvent {
  return {
    specversion: '1.0',
    id: 'first-run/t1.1',
    source: 'support.triage',
    subject: 'run-1',
    type: 'com.stock.check',
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: { sku: 'Ä-17 ✓' },
    ...more,
  };
}
