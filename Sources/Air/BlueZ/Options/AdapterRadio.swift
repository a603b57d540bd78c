public import Bluetooth

/// The radio of an adapter or a controller.
public struct AdapterRadio: RadioProvider {
  /// How it is used.
  public var path: RadioPath
  /// The adapters, and how to scan. The mode is decided for each radio.
  public var options: ScanOptions

  /// By default the best path to the first adapter.
  public init(_ path: RadioPath = .auto, options: ScanOptions = ScanOptions()) {
    self.path = path
    self.options = options
  }

  /// What is around.
  public var air: RadioAir { .real }

  /// A radio over the path.
  public func makeRadio(_ mode: ScanMode) throws(SourceError) -> Radio {
    var options = options
    options.mode = mode
    return try BlueZ.makeRadio(path, options: options)
  }
}
