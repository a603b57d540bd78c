public import BlueZ
public import Bluetooth
import Diagnosis

/// A radio as people and configurations name it: a path to a controller, or the simulated room.
///
/// ```swift
/// switch try RadioName(text) {
/// case .path(let path): settings.radio = AdapterRadio(path)
/// case .virtual(let seed): settings.radio = try TrackerRoom(seed: seed)
/// }
/// ```
public enum RadioName: Hashable, Sendable {
  /// A path to a real controller.
  case path(RadioPath)
  /// The simulated room with this seed.
  case virtual(seed: UInt64)

  /// Reads `virtual`, `virtual:SEED`, and what ``BlueZ/RadioPath`` reads.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of kind `invalid`.
  public init(_ text: String) throws(SourceError) {
    guard text != "virtual" else {
      self = .virtual(seed: 1)
      return
    }
    guard text.hasPrefix("virtual:") else {
      self = .path(try RadioPath(text))
      return
    }
    let digits = text.dropFirst("virtual:".count)
    guard let seed = UInt64(digits) else {
      throw SourceError(
        .invalid, "\(digits) is no seed", remedy: "use virtual or virtual:SEED, a number from 0")
    }
    self = .virtual(seed: seed)
  }
}

extension RadioName: CustomStringConvertible {
  /// The text that `init` reads.
  public var description: String {
    switch self {
    case .path(let path): path.description
    case .virtual(let seed): "virtual:\(seed)"
    }
  }
}
