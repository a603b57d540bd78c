public import Bluetooth
import EventLoop

/// A radio over `path`: a source of advertisements, not started yet, and what connects with the same
/// adapter.
///
/// - Throws: ``Bluetooth/SourceError`` of kind `invalid` when `options` make no sense for `path`.
public func makeRadio(
  _ path: RadioPath, options: ScanOptions = ScanOptions()
) throws(SourceError) -> Radio {
  let host = LinuxHost()
  let source = try makeSource(path, options: options, host: host)
  return Radio(
    source: source, client: RadioClient(reactor: .shared, source: source, host: host))
}
