/**
 * Types of the failures of activities whose large payloads a storage could not take or give at the moment. `read`: of
 * the input, so nothing was started. `written`: of the result, so the activity has run.
 */
export const STORAGE = { read: 'StorageUnavailable', written: 'StorageNotWritten' } as const;
