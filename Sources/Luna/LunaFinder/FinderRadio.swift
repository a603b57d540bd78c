public import Bluetooth
public import LunaCore

/// What a finder hears with, and what delivers commands meanwhile.
public struct FinderRadio: Sendable {
  /// What hears; not started.
  public let source: any AdvertisementSource
  /// Who delivers packages; nil when this radio cannot connect.
  public let runner: (any CommandRunner)?
  /// Lets go of what the runner uses; called before the source is stopped.
  public let close: @Sendable () async -> Void

  /// A radio; one without a `runner` carries no commands out.
  public init(
    source: any AdvertisementSource, runner: (any CommandRunner)? = nil,
    close: @escaping @Sendable () async -> Void = {}
  ) {
    self.source = source
    self.runner = runner
    self.close = close
  }
}
