import Bluetooth
import LunaCore
import LunaCrypto
import LunaJSON
import LunaProtocol

@testable import LunaBackend

/// Events, packages and times that tests use.
enum Samples {
  /// 2026-11-21.
  static let today = Day(number: 20_778)
  /// Noon of `today`.
  static let now = Timestamp(microseconds: (20_778 * 86_400 + 43_200) * 1_000_000)

  static func later(_ seconds: Int64) -> Timestamp {
    Timestamp(microseconds: now.microseconds + seconds * 1_000_000)
  }

  static func heid(_ number: Int) -> HEID {
    // Spread over the whole range, so that prefixes differ.
    HEID(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
  }

  static func event(
    _ number: Int, copy: UInt8 = 0, day: Day = today, debug: JSONObject? = nil
  ) -> TrackerEvent {
    var location = [UInt8](repeating: 0, count: SealedReport.byteCount)
    location[0] = 1
    location[1] = copy
    for index in 0..<8 { location[2 + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return TrackerEvent(
      heid: heid(number), encodedLocation: location, esf: ESF(value: UInt32(number & 0xFF_FFFF)),
      day: day, debug: debug)
  }

  static func identified(_ events: [TrackerEvent]) throws -> [IdentifiedEvent] {
    var hash = try SHA256()
    return events.map { IdentifiedEvent($0, id: EventID($0, using: &hash)) }
  }

  /// A deferred package for an identifier; the code is made up, as no backend can check it.
  static func package(_ number: Int) -> ControlPackage {
    var bytes: [UInt8] = [1, 1, 0, 10, 0, 0, 0, UInt8(number & 0xFF)]
    let key = heid(number).bytes
    for index in key.indices { bytes.append(key[index]) }
    bytes += [0, 0, 1, 0] + [UInt8](repeating: 7, count: 16)
    guard let package = ControlPackage(bytes.span) else { preconditionFailure("44 bytes") }
    return package
  }

  /// Names a request.
  static func key(_ text: String, of holder: String = "me") throws(StorageError) -> OutcomeKey {
    try OutcomeKey("test", holder: holder, key: text, body: [1])
  }

  static func command(
    _ packages: [ControlPackage], owner: String = "me", expires: Int64 = 3600
  ) throws -> NewCommand {
    NewCommand(
      id: try RequestID(), owner: owner, createdAt: now, expiresAt: later(expires),
      packages: packages)
  }
}

extension Storage {
  /// Brings it to this version, with room for events of about the day of the samples.
  func prepare() async throws(StorageError) {
    try await migrate()
    try await makeRoom(for: Samples.today + -1...Samples.today + 1)
  }

  /// Keeps a command of a request that never comes again.
  func submit(_ command: NewCommand, openLimit: Int) async throws(StorageError) {
    _ = try await submit(
      command, as: Samples.key(try RequestID().description), openLimit: openLimit)
  }

  /// Uses up a code by a request that never comes again.
  func redeem(
    _ digest: [UInt8], at time: Timestamp,
    token: @escaping @Sendable (String) throws(StorageError) -> TokenRecord
  ) async throws(StorageError) -> TokenRecord? {
    try await redeem(
      digest, as: Samples.key(try RequestID().description), at: time, token: token)
  }

  /// Events of some identifiers and days, for an owner who is alone.
  func events(
    heids: [HEID], days: ClosedRange<Day>, after position: EventPosition?, limit: Int
  ) async throws(StorageError) -> [FoundEvent] {
    try await events(heids: heids, days: days, after: position, limit: limit, for: "me")
  }
}
