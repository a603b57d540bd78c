import Diagnosis
import LunaCrypto
public import LunaProtocol
public import LunaTracker
public import TrackerMachine
public import VirtualRadio

/// The LunaTrackers of the virtual room with seed S. Their keys are public: anyone can derive them
/// from the seed.
///
///     PRK = Extract("luna/demo", u64(S))
///     MK_i   = Expand(PRK, "master" | u8(i), 32)
///     UUID_i = Expand(PRK, "uuid"   | u8(i), 16), made version 4
///     code_i = Expand(PRK, "code"   | u8(i), 16)
///
/// where Extract and Expand are HKDF-SHA256's and integers are big-endian. They were onboarded on
/// 2026-01-01T00:00:00Z with a clock that was right, and their clocks went wrong since.
public struct DemoTracker: Sendable {
  /// What kind of tracker it is.
  public enum Kind: Sendable {
    /// Its keys are given out by `luna tracker export --radio virtual:S`.
    case own
    /// Somebody else's: its keys are not given out.
    case foreign
    /// In factory state; can be onboarded with its code.
    case factory
  }

  /// When all of them were onboarded, Unix s.
  public static let onboardingTimestamp: UInt32 = 1_767_225_600

  private static let cast: [(name: String, kind: Kind, drift: Int64, isLeft: Bool)] = [
    ("Keys", .own, 5, false), ("Bag", .own, -12, false), ("Bicycle", .own, 20, true),
    ("Neighbour", .foreign, -3, false), ("New", .factory, 0, false),
  ]

  /// The number i of the derivation.
  public let index: UInt8
  /// What it is called.
  public let name: String
  /// What kind it is.
  public let kind: Kind
  /// How wrong its clock is, parts per million.
  public let drift: Int64
  /// Whether it has been away from its owner for long, and so is separated.
  public let isLeft: Bool
  /// What is in its flash.
  public let record: TrackerRecord

  /// All trackers of the room with this seed.
  ///
  /// - Throws: ``LunaTracker/TrackerError`` when libcrypto fails.
  public static func all(seed: UInt64) throws(TrackerError) -> [DemoTracker] {
    var trackers: [DemoTracker] = []
    for index in cast.indices {
      do throws(CryptoError) {
        if let tracker = try DemoTracker(seed: seed, index: index) { trackers.append(tracker) }
      } catch {
        throw TrackerError(.crypto, error.description)
      }
    }
    return trackers
  }

  private init?(seed: UInt64, index: Int) throws(CryptoError) {
    let bytes: [UInt8] = (0..<8).map { UInt8(truncatingIfNeeded: seed >> UInt64(56 - 8 * $0)) }
    let salt = Array("luna/demo".utf8)
    let prk = try HKDFSHA256.extract(salt: salt.span, inputKey: bytes.span)
    let number = UInt8(index)
    func derive(_ label: String, _ count: Int) throws(CryptoError) -> SecretBytes {
      let info = Array(label.utf8) + [number]
      return try HKDFSHA256.expand(prk, info: info.span, count: count)
    }
    guard let key = MasterKey(try derive("master", 32)),
      let code = OnboardingCode(try derive("code", 16))
    else { return nil }
    let uuid = try derive("uuid", 16).withBytes { bytes in
      DeviceUUID(random: InlineArray { bytes[$0] })
    }
    self.index = number
    (name, kind, drift, isLeft) = DemoTracker.cast[index]
    guard kind != .factory else {
      record = TrackerRecord(code: code)
      return
    }
    record = TrackerRecord(
      code: code,
      ownership: TrackerRecord.Ownership(
        uuid: uuid, masterKey: key, onboardingTimestamp: DemoTracker.onboardingTimestamp))
  }

  /// The trackers as guests of a room that is opened at `start` (Unix µs).
  ///
  /// - Parameters:
  ///   - seed: the seed of the room.
  ///   - time: how the trackers' time goes.
  public static func guests(
    seed: UInt64, start: Int64, time: ProtocolTime = .real
  ) throws(TrackerError) -> [any VirtualAdvertiser] {
    var guests: [any VirtualAdvertiser] = []
    for tracker in try all(seed: seed) {
      let (machine, clock) = tracker.machine(at: start, time: time)
      do throws(CryptoError) {
        guests.append(
          try VirtualTracker(machine, clock: clock, seed: chance(seed, UInt64(tracker.index))))
      } catch {
        throw TrackerError(.crypto, error.description)
      }
    }
    return guests
  }

  /// What chance decides about one tracker of a room.
  static func chance(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    seed &* 0x9E37_79B9_7F4A_7C15 &+ index
  }

  /// The tracker in a room that is opened at `start` (Unix µs), and what its clock shows then, ms.
  func machine(at start: Int64, time: ProtocolTime) -> (machine: TrackerMachine, clock: Int64) {
    // Fast time that began in a distant year is anywhere.
    let now = TrackerMachine.bounded(time.time(at: start / 1000))
    let elapsed = now - Int64(DemoTracker.onboardingTimestamp) * 1000
    let clock = now + max(0, elapsed) / 1_000_000 * drift
    var record = record
    // Its owner was there a moment ago, or months ago.
    record.ownerMetAt = isLeft ? 0 : clock
    record.storedPeriod = 0
    let machine = TrackerMachine(
      record: record,
      oscillator: TrackerMachine.Oscillator(speed: time.speed, drift: drift))
    return (machine, clock)
  }
}
