import Luna
import Synchronization

/// Remembers which radios were made.
final class CountingRadio: RadioProvider {
  private let provider: any RadioProvider
  private let modes = Mutex<[ScanMode]>([])

  init(_ provider: any RadioProvider) { self.provider = provider }

  /// How each of them was to scan.
  var made: [ScanMode] { modes.withLock(\.self) }

  var air: RadioAir { provider.air }

  func makeRadio(_ mode: ScanMode) throws(SourceError) -> Radio {
    modes.withLock { $0.append(mode) }
    return try provider.makeRadio(mode)
  }
}
