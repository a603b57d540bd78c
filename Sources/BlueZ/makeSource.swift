public import Bluetooth

/// A source of advertisements over `path`, not started yet.
///
/// - Throws: ``SourceError`` of kind `invalid` when `options` make no sense for `path`.
public func makeSource(
  _ path: RadioPath, options: ScanOptions = ScanOptions()
) throws(SourceError) -> any AdvertisementSource {
  throw SourceError(.noAdapter, "\(path) is not built yet")
}
