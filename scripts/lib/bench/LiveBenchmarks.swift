import Bluetooth
import Glibc
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol

/// Rows 11 and 13: a follower in a crowd.
enum LiveBenchmarks {
  private static let start: Int64 = 1_750_000_000_000

  private static func device(_ number: Int, _ generator: inout SeededGenerator) -> Device? {
    MasterKey(generator.secret(32)).map {
      Device(
        uuid: DeviceUUID(high: 1, low: UInt64(number)), masterKey: $0,
        onboardingTimestamp: Timestamp(unixMilliseconds: start), name: "tracker \(number)")
    }
  }

  private static func report(
    _ bytes: [UInt8], address: UInt64, microseconds: Int64
  ) -> AdvertisingReport {
    AdvertisingReport(
      time: Timestamp(microseconds: microseconds), adapter: 0,
      address: BluetoothAddress(value: address & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000),
      addressType: .random, payload: AdvertisingPayload(bytes), rssi: -60)
  }

  /// 10,000 tracked devices, 2,000 advertisements a second for ten minutes of the reports' time: a
  /// tenth are of one's own trackers, a tenth of foreign ones, the rest of other things.
  static func crowd() throws {
    var generator = SeededGenerator(state: 11)
    let devices = (0..<10_000).compactMap { device($0, &generator) }
    let follower = try TrackerFollower(devices)
    let seconds = 600
    var frames = try CrowdFrames()
    // 200 of one's own and 200 foreign trackers are near.
    let own = (0..<200).compactMap { number in
      devices[number * 50].masterKey.map { frames.frame($0, Period.number(at: start)) }
    }
    var updates: [LocalUpdate] = []
    var told = 0
    // The index is made once; that is row 6.
    follower.receive(report([2, 1, 6], address: 1, microseconds: 1000 * start), into: &updates)
    let (wall, processor) = measure(runs: 1) {
      for number in 0..<(seconds * 2000) {
        let time = 1000 * start + Int64(number) * 500
        let (bytes, address) = frames.advertisement(number, own: own)
        follower.receive(report(bytes, address: address, microseconds: time), into: &updates)
        if updates.count >= 200 {
          told += updates.count
          updates.removeAll(keepingCapacity: true)
          _ = follower.takeNews()
        }
      }
    }
    precondition(told > seconds * 390 && follower.counters.tracked >= UInt64(seconds * 200))
    Measurement(
      row: 11, name: "resolving 2,000 advertisements/s, 10,000 tracked devices",
      value: 100 * processor / Double(seconds), unit: "% of a core",
      details: [
        ("advertisements_per_s", Double(seconds * 2000) / wall), ("resident_mib", residentMemory()),
      ]
    ).report()
  }

  /// A million addresses that are never heard again, each with a Luna frame of its own.
  ///
  /// - Returns: by how much memory grew after the first hundred thousand, MiB.
  @discardableResult
  static func rotatingAddresses() throws -> Double {
    var generator = SeededGenerator(state: 13)
    let follower = try TrackerFollower((0..<36).compactMap { device($0, &generator) })
    var bytes: [UInt8] = [
      0x02, 0x01, 0x06, 0x03, 0x03, 0x04, 0x18, 0x17, 0xFF, 0xFF, 0xFF, 0x10,
    ]
    bytes += (0..<19).map { _ in UInt8(1) }
    var updates: [LocalUpdate] = []
    var early = 0.0
    let (wall, processor) = measure(runs: 1) {
      for number in 0..<1_000_000 {
        let value = generator.next()
        for place in 0..<8 {
          bytes[13 + place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * place))
        }
        // A hundred new ones a second, for almost three hours.
        let time = 1000 * start + Int64(number) * 10_000
        bytes[12] = UInt8(truncatingIfNeeded: Period.number(at: time / 1000))
        follower.receive(report(bytes, address: value, microseconds: time), into: &updates)
        updates.removeAll(keepingCapacity: true)
        if number == 100_000 { early = residentMemory() }
      }
    }
    let late = residentMemory()
    Measurement(
      row: 13, name: "memory over 1,000,000 rotating addresses", value: late - early,
      unit: "MiB more",
      details: [
        ("resident_mib", late), ("devices", Double(follower.devices.count)), ("wall_s", wall),
        ("cpu_s", processor),
      ]
    ).report()
    return late - early
  }
}
