import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Events of nobody, of the size of real ones: no tracker was heard, and no place is in them.
enum MadeUpEvents {
  /// So many are in a batch.
  static let count = 100

  /// A batch of today.
  static func batch() throws(CryptoError) -> EventBatch {
    var events: [TrackerEvent] = []
    let day = Day(.now)
    for _ in 0..<count {
      let random: InlineArray<80, UInt8> = try SecureRandom.bytes()
      let bytes = random.indices.map { random[$0] }
      guard let heid = HEID(bytes.span), let esf = ESF(bytes.span, at: 16) else { continue }
      events.append(
        TrackerEvent(heid: heid, encodedLocation: Array(bytes[19...]), esf: esf, day: day))
    }
    return EventBatch(events)
  }
}
