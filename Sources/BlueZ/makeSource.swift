public import Bluetooth
import EventLoop

/// A source of advertisements over `path`, not started yet.
///
/// - Throws: ``SourceError`` of kind `invalid` when `options` make no sense for `path`.
public func makeSource(
  _ path: RadioPath, options: ScanOptions = ScanOptions()
) throws(SourceError) -> any AdvertisementSource {
  guard !options.phys.isEmpty, options.phys.isSubset(of: [.le1M, .leCoded]) else {
    throw SourceError(
      .invalid, "advertisers are heard on the PHYs 1M and Coded only", hint: "use --phy 1m,coded")
  }
  switch path {
  case .h4(let address):
    guard options.adapters.isEmpty else {
      throw SourceError(.invalid, "h4: names the controller already", hint: "leave out -i")
    }
    return RadioSource(name: path.description, options: options) { () throws(SourceError) in
      ScanPlan(
        name: path.description,
        sessions: [
          { outlet in
            ControllerSession(
              reactor: .shared, outlet: outlet, access: H4Access(address: address),
              settings: HCIScanner.Settings(options))
          }
        ])
    }
  default: throw SourceError(.noAdapter, "\(path) is not built yet")
  }
}
