import Bluetooth
import CommandSpec
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol

/// Whose keys a command works with: a file, or an onboarded device. Never an argument.
struct MasterKeyOptions: Sendable {
  var file: String?
  var device: String?
  var store = StoreOptions()

  static var options: [Option<MasterKeyOptions>] {
    [
      .value(
        "master-key-file", "FILE", "The master key, 64 hexadecimal digits; - is standard input",
        \.file, .file),
      .value("device", "DEVICE", "Use the key of an onboarded device", \.device, .text),
    ]
  }

  /// The periods that a device may show at a time.
  func periods(of device: Device, at time: Timestamp) async throws -> PeriodRange {
    let owner = LunaOwner(store: try await store.open(isMade: false))
    return try await owner.periods(of: device, from: time, to: time)
  }

  /// The key, with the device where it is one.
  func read() async throws -> (key: MasterKey, device: Device?) {
    if let device {
      let owner = LunaOwner(store: try await store.open(isMade: false))
      let found = try await owner.device(matching: device)
      guard let key = found.masterKey else {
        throw CommandFailure(
          .notFound, "\(found.name) is no LunaTracker (\(found.keys.kind.rawValue))")
      }
      return (key, found)
    }
    guard let file else {
      throw CommandFailure(
        .usage, "there is no key", hint: "give --master-key-file FILE or --device DEVICE")
    }
    let secret = try await KeyFile.read(file, count: MasterKey.byteCount, what: "master key")
    guard let key = MasterKey(secret) else {
      throw CommandFailure(.unreadableInput, "\(file) holds no master key")
    }
    return (key, nil)
  }
}
