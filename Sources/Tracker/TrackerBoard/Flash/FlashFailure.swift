/// Why a record is not read from flash, or not written.
package enum FlashFailure: Error, Hashable, Sendable {
  /// The pages have no room for so many records that they would last.
  case small
  /// A later firmware has written it: an older record would bring back what was taken away since.
  case newer
  /// No place of a page takes it.
  case write
}
