/** What a copy of Holdfast changes in the SDK, which all copies share. */
function loadCopy() {
  jest.resetModules();
  require('../../../runtime/storage/payload-storage');
  const folder = '@temporalio/common/lib/internal-non-workflow';
  const { isReferencePayload } = require(`${folder}/extstore-helpers`);
  const { store, retrieve } = require(`${folder}/external-storage-runner`).ExternalStorageRunner.prototype;
  return { isReferencePayload, store, retrieve };
}

it('changes the SDK once, however many copies of Holdfast are loaded', () => {
  const [first, second] = [loadCopy(), loadCopy()];
  expect(second.isReferencePayload).toBe(first.isReferencePayload);
  expect(second.store).toBe(first.store);
  expect(second.retrieve).toBe(first.retrieve);
});
