public import Bluetooth

/// What to listen to, and how.
public struct ScanOptions: Sendable {
  /// The adapters; none stands for the first that can be used.
  public var adapters: [AdapterSelector]
  /// Whether to ask for scan responses.
  public var mode: ScanMode
  /// The primary PHYs to listen on: LE 1M, LE Coded, or both.
  public var phys: Set<PHY>
  /// How long a failed scan is tried again before the source is lost; nil for ever. An adapter that
  /// somebody has switched off is followed for ever in any case, and one of several as long as another
  /// delivers.
  public var giveUpAfter: Duration?
  /// How long nothing has to be heard, at least, before that counts as a fault: the limit is this,
  /// or ten times the usual gap of the place where that is longer.
  public var silenceLimit: Duration
  /// The reports that wait for a slow consumer; what comes beyond them is dropped and counted.
  public var queueCapacity: Int

  /// Options; by default the first adapter, active where possible, on LE 1M.
  public init(
    adapters: [AdapterSelector] = [], mode: ScanMode = .auto, phys: Set<PHY> = [.le1M],
    giveUpAfter: Duration? = .seconds(120), silenceLimit: Duration = .seconds(30),
    queueCapacity: Int = 32_768
  ) {
    self.adapters = adapters
    self.mode = mode
    self.phys = phys
    self.giveUpAfter = giveUpAfter
    self.silenceLimit = silenceLimit
    self.queueCapacity = queueCapacity
  }
}
